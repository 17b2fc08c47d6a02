import { Table, TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/** Creates what visitors sent twice at once, which stands with the submission that came first. */
export class CreateSubmissionRepeats1766761000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { binary, int } = columns(runner);
    await runner.createTable(
      new Table({
        name: 'submission_repeats',
        columns: [
          { ...binary('id', 16), isPrimary: true },
          int('form_id'),
          binary('submission_id', 16),
        ],
        indices: [
          new TableIndex({
            name: 'ix_submission_repeats_submission',
            columnNames: ['submission_id', 'id'],
          }),
        ],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('submission_repeats');
  }
}
