import { TableColumn, type MigrationInterface, type QueryRunner } from 'typeorm';

/** Adds whom a note mentions. */
export class AddMentionsToNotes1766450000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn('submission_notes', 'mentions')) return;
    const column = new TableColumn({ name: 'mentions', type: 'text', isNullable: true });
    await runner.addColumn('submission_notes', column);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('submission_notes', 'mentions');
  }
}
