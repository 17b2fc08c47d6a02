import { TableColumn, TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/** Adds what the signals said of a submission before anybody else did, and when its hold ends. */
export class KeepWhatSignalsSaid1766440000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { datetime, varchar } = columns(runner);
    if (!(await runner.hasColumn('submission_verdicts', 'judged'))) {
      await runner.addColumns('submission_verdicts', [
        new TableColumn(varchar('judged', 8, { nullable: true })),
        new TableColumn(datetime('held_until', { nullable: true })),
      ]);
    }
    const table = await runner.getTable('submission_verdicts');
    const name = 'ix_submission_verdicts_hold';
    if (table?.indices.some((index) => index.name === name)) return;
    await runner.createIndex(
      'submission_verdicts',
      new TableIndex({ name, columnNames: ['held_until'] }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex('submission_verdicts', 'ix_submission_verdicts_hold');
    await runner.dropColumns('submission_verdicts', ['judged', 'held_until']);
  }
}
