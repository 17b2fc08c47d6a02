import { Table, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/** Creates the times since which submissions are in the trash; a task adds those that are there already. */
export class CreateTrash1766530100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { binary, datetime, int } = columns(runner);
    await runner.createTable(
      new Table({
        name: 'trashed_submissions',
        columns: [
          { ...binary('submission_id', 16), isPrimary: true },
          int('form_id'),
          datetime('trashed_at'),
        ],
        indices: [{ name: 'ix_trashed_submissions_time', columnNames: ['trashed_at'] }],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('trashed_submissions');
  }
}
