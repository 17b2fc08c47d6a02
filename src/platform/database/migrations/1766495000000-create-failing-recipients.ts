import { Table, TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/** Creates the addresses that take no mails of an account. */
export class CreateFailingRecipients1766495000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { binary, datetime, int, type, varchar } = columns(runner);
    await runner.createTable(
      new Table({
        name: 'failing_recipients',
        columns: [
          { ...int('account_id'), isPrimary: true },
          { ...binary('email_hash', 32), isPrimary: true },
          varchar('email', 255),
          binary('delivery_id', 16),
          int('form_id'),
          binary('submission_id', 16, { nullable: true }),
          varchar('kind', 10),
          type('reason', 'text'),
          datetime('since'),
        ],
        indices: [
          new TableIndex({ name: 'ix_failing_recipients_form', columnNames: ['form_id'] }),
          new TableIndex({
            name: 'ix_failing_recipients_submission',
            columnNames: ['submission_id'],
          }),
        ],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('failing_recipients');
  }
}
