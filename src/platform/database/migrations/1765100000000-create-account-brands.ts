import { Table, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/** Creates how accounts look: colour, logo, reply address. */
export class CreateAccountBrands1765100000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { binary, int, type, varchar } = columns(runner);
    const nullable = { nullable: true };
    await runner.createTable(
      new Table({
        name: 'account_brands',
        columns: [
          { ...int('account_id'), isPrimary: true },
          varchar('colour', 32, nullable),
          varchar('reply_to', 255, nullable),
          binary('logo_digest', 32, nullable),
          varchar('logo_type', 16, nullable),
          type('logo', 'mediumblob', nullable),
        ],
        indices: [{ name: 'ix_account_brands_logo', columnNames: ['logo_digest'] }],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('account_brands');
  }
}
