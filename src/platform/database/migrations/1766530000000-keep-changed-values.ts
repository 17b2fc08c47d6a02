import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Adds what somebody changed of a submission's values to what was done to it. */
export class KeepChangedValues1766530000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn('submission_acts', 'changes')) return;
    // Written out, since TypeORM would copy the whole table on SQLite.
    await runner.query('ALTER TABLE `submission_acts` ADD COLUMN `changes` mediumtext NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE `submission_acts` DROP COLUMN `changes`');
  }
}
