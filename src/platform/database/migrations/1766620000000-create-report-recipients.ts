import { Table, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/** Creates who gets the monthly report of which client by mail. */
export class CreateReportRecipients1766620000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { binary, datetime, int, varchar } = columns(runner);
    await runner.createTable(
      new Table({
        name: 'report_recipients',
        columns: [
          { ...binary('id', 16), isPrimary: true },
          int('account_id'),
          int('client_id'),
          varchar('email', 255),
          datetime('next_at'),
          { ...int('tries'), default: '0' },
          binary('lease_token', 16, { nullable: true }),
          datetime('lease_until', { nullable: true }),
        ],
        indices: [
          { name: 'ix_report_recipients_account', columnNames: ['account_id'] },
          { name: 'ix_report_recipients_client', columnNames: ['client_id'] },
          { name: 'ix_report_recipients_due', columnNames: ['next_at'] },
        ],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('report_recipients');
  }
}
