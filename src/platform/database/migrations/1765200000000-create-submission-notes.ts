import { Table, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/** Creates the notes that people write on submissions for one another. */
export class CreateSubmissionNotes1765200000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { binary, int, type, varchar } = columns(runner);
    await runner.createTable(
      new Table({
        name: 'submission_notes',
        columns: [
          { ...binary('id', 16), isPrimary: true },
          int('form_id'),
          binary('submission_id', 16),
          varchar('author_kind', 16),
          int('author_id', { nullable: true }),
          varchar('author_name', 255),
          type('text', 'text'),
        ],
        indices: [{ name: 'ix_submission_notes_submission', columnNames: ['submission_id', 'id'] }],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('submission_notes');
  }
}
