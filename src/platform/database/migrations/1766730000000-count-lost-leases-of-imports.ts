import { type MigrationInterface, type QueryRunner } from 'typeorm';

const ADDED = ['lost_leases', 'last_line'];

/** Adds how often an import has taken the process along, and the line that it had come to. */
export class CountLostLeasesOfImports1766730000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Written out, since TypeORM would copy the whole table on SQLite.
    for (const name of ADDED) {
      if (await runner.hasColumn('imports', name)) continue;
      await runner.query(
        `ALTER TABLE \`imports\` ADD COLUMN \`${name}\` integer NOT NULL DEFAULT 0`,
      );
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of ADDED) {
      await runner.query(`ALTER TABLE \`imports\` DROP COLUMN \`${name}\``);
    }
  }
}
