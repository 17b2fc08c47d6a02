import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Adds the subject that a page gives to the mails about a submission. */
export class AddSubjects1766760000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn('submissions', 'subject')) return;
    // Written out, since TypeORM would copy the whole table on SQLite.
    await runner.query('ALTER TABLE `submissions` ADD COLUMN `subject` varchar(255) NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE `submissions` DROP COLUMN `subject`');
  }
}
