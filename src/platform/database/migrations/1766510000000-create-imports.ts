import { Table, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/** Creates the imports of what other services received, and what each of them stored. */
export class CreateImports1766510000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { binary, datetime, int, type, varchar } = columns(runner);
    await runner.createTable(
      new Table({
        name: 'imports',
        columns: [
          { ...binary('id', 16), isPrimary: true },
          int('account_id'),
          int('form_id'),
          int('client_id', { nullable: true }),
          varchar('actor_kind', 16),
          int('actor_id', { nullable: true }),
          varchar('actor_name', 255),
          varchar('provider', 32),
          type('options', 'mediumtext'),
          binary('file_id', 16, { nullable: true }),
          varchar('file_name', 255, { nullable: true }),
          type('file_bytes', 'bigint'),
          varchar('encoding', 16),
          varchar('state', 16),
          int('position'),
          type('read_bytes', 'bigint'),
          int('imported'),
          int('skipped'),
          int('broken'),
          type('broken_rows', 'mediumtext'),
          varchar('error_code', 64, { nullable: true }),
          type('error_message', 'text', { nullable: true }),
          binary('lease_token', 16, { nullable: true }),
          datetime('lease_until', { nullable: true }),
          datetime('ended_at', { nullable: true }),
        ],
        indices: [
          { name: 'ix_imports_form', columnNames: ['form_id', 'id'] },
          { name: 'ix_imports_state', columnNames: ['state', 'lease_until'] },
        ],
      }),
      true,
    );
    await runner.createTable(
      new Table({
        name: 'import_portions',
        columns: [
          { ...binary('import_id', 16), isPrimary: true },
          { ...int('position'), isPrimary: true },
          int('form_id'),
          type('submission_ids', 'blob'),
        ],
        indices: [{ name: 'ix_import_portions_form', columnNames: ['form_id'] }],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('import_portions');
    await runner.dropTable('imports');
  }
}
