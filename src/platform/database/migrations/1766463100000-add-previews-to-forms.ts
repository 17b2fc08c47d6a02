import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

/** Adds which fields the rows of a form show. */
export class AddPreviewsToForms1766463100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn('forms', 'preview_fields')) return;
    const { type } = columns(runner).type('preview_fields', 'mediumtext');
    // Written out, since TypeORM would copy the whole table on SQLite.
    await runner.query(`ALTER TABLE \`forms\` ADD COLUMN preview_fields ${type} NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE `forms` DROP COLUMN preview_fields');
  }
}
