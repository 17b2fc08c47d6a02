import { type MigrationInterface, type QueryRunner } from 'typeorm';

const COLUMNS = { files_missing: 'integer NOT NULL DEFAULT 0', missing_files: 'mediumtext NULL' };

/** Adds which files of an import could not be fetched. */
export class AddMissingFilesToImports1766540000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Written out, since TypeORM would copy the whole table on SQLite.
    for (const [name, type] of Object.entries(COLUMNS)) {
      if (await runner.hasColumn('imports', name)) continue;
      await runner.query(`ALTER TABLE \`imports\` ADD COLUMN \`${name}\` ${type}`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(COLUMNS)) {
      await runner.query(`ALTER TABLE \`imports\` DROP COLUMN \`${name}\``);
    }
  }
}
