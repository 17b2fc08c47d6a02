import { Table, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/** Creates how clients look, who sends their mails, and what their new forms begin with. */
export class CreateClientBrands1766590000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { binary, int, type, varchar } = columns(runner);
    const nullable = { nullable: true };
    await runner.createTable(
      new Table({
        name: 'client_brands',
        columns: [
          { ...int('client_id'), isPrimary: true },
          varchar('name', 255, nullable),
          varchar('colour', 32, nullable),
          varchar('reply_to', 255, nullable),
          binary('logo_digest', 32, nullable),
          varchar('logo_type', 16, nullable),
          type('logo', 'mediumblob', nullable),
          varchar('from_name', 255, nullable),
          varchar('from_address', 255, nullable),
          varchar('smtp_host', 255, nullable),
          type('smtp_sealed', 'mediumtext', nullable),
          type('form_defaults', 'mediumtext', nullable),
        ],
        indices: [{ name: 'ix_client_brands_logo', columnNames: ['logo_digest'] }],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('client_brands');
  }
}
