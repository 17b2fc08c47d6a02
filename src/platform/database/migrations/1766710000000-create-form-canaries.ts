import { Table, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/** Creates when the canary of which form runs, and how its last run ended. */
export class CreateFormCanaries1766710000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { binary, datetime, int, type, varchar } = columns(runner);
    await runner.createTable(
      new Table({
        name: 'form_canaries',
        columns: [
          { ...binary('id', 16), isPrimary: true },
          int('form_id'),
          int('account_id'),
          varchar('schedule', 8),
          type('page', 'text', { nullable: true }),
          datetime('next_at'),
          binary('lease_token', 16, { nullable: true }),
          datetime('lease_until', { nullable: true }),
          { ...int('tries'), default: '0' },
          datetime('ran_at', { nullable: true }),
          type('result', 'mediumtext', { nullable: true }),
          datetime('failed_since', { nullable: true }),
        ],
        indices: [
          { name: 'uq_form_canaries_form', columnNames: ['form_id'], isUnique: true },
          { name: 'ix_form_canaries_due', columnNames: ['next_at'] },
          { name: 'ix_form_canaries_failing', columnNames: ['failed_since'] },
        ],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('form_canaries');
  }
}
