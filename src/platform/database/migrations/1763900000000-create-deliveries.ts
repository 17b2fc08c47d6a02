import { Table, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

export class CreateDeliveries1763900000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { binary, datetime, int, type, varchar } = columns(runner);
    const nullable = { nullable: true };
    await runner.createTable(
      new Table({
        name: 'deliveries',
        columns: [
          { ...binary('id', 16), isPrimary: true },
          int('form_id'),
          binary('submission_id', 16, nullable),
          varchar('kind', 16),
          type('recipient', 'text'),
          varchar('recipient_key', 255),
          varchar('state', 10),
          int('scheduled_attempts'),
          datetime('next_attempt_at', nullable),
          binary('lease_token', 16, nullable),
          datetime('lease_until', nullable),
          datetime('settled_at', nullable),
        ],
        indices: [
          { name: 'ix_deliveries_due', columnNames: ['state', 'next_attempt_at'] },
          { name: 'ix_deliveries_submission', columnNames: ['submission_id'] },
          { name: 'ix_deliveries_form', columnNames: ['form_id', 'kind', 'state', 'id'] },
          { name: 'ix_deliveries_recipient', columnNames: ['recipient_key', 'id'] },
        ],
      }),
      true,
    );
    await runner.createTable(
      new Table({
        name: 'attempts',
        columns: [
          { ...binary('id', 16), isPrimary: true },
          binary('delivery_id', 16),
          datetime('at'),
          int('duration_ms'),
          varchar('cause', 10),
          varchar('outcome', 32),
          int('code', nullable),
          type('answer', 'text', nullable),
        ],
        indices: [{ name: 'ix_attempts_delivery', columnNames: ['delivery_id', 'id'] }],
      }),
      true,
    );
    await runner.createTable(
      new Table({
        name: 'form_webhooks',
        columns: [
          { ...int('form_id'), isPrimary: true },
          varchar('secret', 128),
          varchar('previous_secret', 128, nullable),
          datetime('previous_secret_until', nullable),
          datetime('failing_since', nullable),
          datetime('disabled_at', nullable),
        ],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['form_webhooks', 'attempts', 'deliveries']) await runner.dropTable(table);
  }
}
