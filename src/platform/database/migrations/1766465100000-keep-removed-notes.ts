import { TableColumn, TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

const REMOVED = 'ix_submission_notes_removed';

/** Keeps removed notes for a while, so that a removal can be taken back. */
export class KeepRemovedNotes1766465100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    if (!(await runner.hasColumn('submission_notes', 'removed_at'))) {
      const { datetime } = columns(runner);
      const column = new TableColumn(datetime('removed_at', { nullable: true }));
      await runner.addColumn('submission_notes', column);
    }
    const table = await runner.getTable('submission_notes');
    if (table?.indices.some(({ name }) => name === REMOVED)) return;
    await runner.createIndex(
      'submission_notes',
      new TableIndex({ name: REMOVED, columnNames: ['removed_at'] }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex('submission_notes', REMOVED);
    await runner.dropColumn('submission_notes', 'removed_at');
  }
}
