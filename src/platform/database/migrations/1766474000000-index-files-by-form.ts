import { TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';

const TABLE = 'files';
const NAME = 'ix_files_form';

/** Orders the files of each form by their submissions, so that those with a file are found without the others. */
export class IndexFilesByForm1766474000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.dropIndex(TABLE, NAME, true);
    const columnNames = ['form_id', 'submission_id'];
    await runner.createIndex(TABLE, new TableIndex({ name: NAME, columnNames }));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex(TABLE, NAME);
  }
}
