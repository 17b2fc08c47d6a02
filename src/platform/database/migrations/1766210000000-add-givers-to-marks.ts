import { TableColumn, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/** Adds when and by whom a mark was given. */
export class AddGiversToMarks1766210000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn('submission_marks', 'given_by')) return;
    const { datetime, varchar } = columns(runner);
    await runner.addColumns('submission_marks', [
      new TableColumn(datetime('given_at', { nullable: true })),
      new TableColumn(varchar('given_by', 255, { nullable: true })),
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumns('submission_marks', ['given_at', 'given_by']);
  }
}
