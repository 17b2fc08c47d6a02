import { Table, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

export class CreateSigningKeys1764000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { binary, int } = columns(runner);
    await runner.createTable(
      new Table({
        name: 'signing_keys',
        columns: [{ ...int('id'), isPrimary: true }, binary('secret', 32)],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('signing_keys');
  }
}
