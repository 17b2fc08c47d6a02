import { Table, TableColumn, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/** Adds the verdicts of submissions with their parts, and what forms say about spam. */
export class CreateSubmissionVerdicts1766080000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { binary, int, type, varchar } = columns(runner);
    await runner.createTable(
      new Table({
        name: 'submission_verdicts',
        columns: [
          { ...binary('submission_id', 16), isPrimary: true },
          int('form_id'),
          varchar('band', 8),
          type('parts', 'mediumtext'),
        ],
        indices: [
          {
            name: 'ix_submission_verdicts_form',
            columnNames: ['form_id', 'band', 'submission_id'],
          },
        ],
      }),
      true,
    );
    const settings = new TableColumn(type('spam_settings', 'mediumtext', { nullable: true }));
    await runner.addColumn('forms', settings);
    await runner.query(
      `UPDATE submissions SET spam_code = 'origin'
        WHERE spam_code IN ('origin_unknown', 'origin_not_allowed')`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('forms', 'spam_settings');
    await runner.dropTable('submission_verdicts');
  }
}
