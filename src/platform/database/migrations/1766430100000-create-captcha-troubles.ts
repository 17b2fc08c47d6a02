import { Table, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/** Creates what providers of captchas say of the keys of forms. */
export class CreateCaptchaTroubles1766430100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { datetime, int, varchar } = columns(runner);
    await runner.createTable(
      new Table({
        name: 'captcha_troubles',
        columns: [{ ...int('form_id'), isPrimary: true }, varchar('code', 40), datetime('last_at')],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('captcha_troubles');
  }
}
