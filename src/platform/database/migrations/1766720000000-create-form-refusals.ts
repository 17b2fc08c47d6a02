import { Table, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/** Creates counts of what forms refused, by hour and reason. */
export class CreateFormRefusals1766720000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { int, varchar } = columns(runner);
    await runner.createTable(
      new Table({
        name: 'form_refusals',
        columns: [
          { ...int('form_id'), isPrimary: true },
          { ...int('hour'), isPrimary: true },
          { ...varchar('code', 64), isPrimary: true },
          { ...varchar('field', 255), isPrimary: true },
          int('account_id'),
          int('amount'),
        ],
        indices: [{ name: 'ix_form_refusals_hour', columnNames: ['hour'] }],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('form_refusals');
  }
}
