import { Table, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/** Creates the jobs that change all submissions which a filter means. */
export class CreateBulkJobs1766050000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { binary, datetime, int, type, varchar } = columns(runner);
    await runner.createTable(
      new Table({
        name: 'bulk_jobs',
        columns: [
          { ...binary('id', 16), isPrimary: true },
          int('account_id'),
          int('client_id', { nullable: true }),
          varchar('actor_kind', 16),
          int('actor_id', { nullable: true }),
          varchar('actor_name', 255),
          type('line', 'text'),
          type('form_ids', 'mediumtext'),
          type('changes', 'text'),
          binary('up_to', 16),
          binary('position', 16),
          varchar('state', 16),
          int('total', { nullable: true }),
          int('done'),
          int('changed'),
          varchar('error_code', 64, { nullable: true }),
          type('error_message', 'text', { nullable: true }),
          binary('lease_token', 16, { nullable: true }),
          datetime('lease_until', { nullable: true }),
          datetime('ended_at', { nullable: true }),
        ],
        indices: [
          { name: 'ix_bulk_jobs_state', columnNames: ['state', 'lease_until'] },
          { name: 'ix_bulk_jobs_account', columnNames: ['account_id', 'id'] },
          { name: 'ix_bulk_jobs_ended', columnNames: ['ended_at'] },
        ],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('bulk_jobs');
  }
}
