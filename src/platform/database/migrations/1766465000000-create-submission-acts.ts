import { Table, TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/** Creates who did what to which submission. */
export class CreateSubmissionActs1766465000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { binary, int, varchar } = columns(runner);
    await runner.createTable(
      new Table({
        name: 'submission_acts',
        columns: [
          { ...binary('submission_id', 16), isPrimary: true },
          { ...binary('id', 16), isPrimary: true },
          int('form_id'),
          varchar('kind', 16),
          varchar('detail', 64, { nullable: true }),
          varchar('actor_kind', 16),
          int('actor_id', { nullable: true }),
          varchar('actor_name', 255),
          int('client_id', { nullable: true }),
          int('seen_by', { nullable: true }),
        ],
        indices: [
          new TableIndex({
            name: 'uq_submission_acts_seen',
            columnNames: ['submission_id', 'seen_by'],
            isUnique: true,
          }),
        ],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('submission_acts');
  }
}
