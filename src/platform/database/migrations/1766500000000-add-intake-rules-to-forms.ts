import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

const NAMES = ['field_rules', 'intake_gate', 'dialect'];

/** Adds what a form asks of its fields, when it takes submissions, and which provider's answers it gives. */
export class AddIntakeRulesToForms1766500000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn('forms', 'dialect')) return;
    const define = columns(runner);
    const long = define.type('field_rules', 'mediumtext').type;
    // Written out, since TypeORM would copy the whole table on SQLite.
    for (const name of NAMES) {
      if (await runner.hasColumn('forms', name)) continue;
      const type = name === 'dialect' ? 'varchar(16)' : long;
      await runner.query(`ALTER TABLE \`forms\` ADD COLUMN ${name} ${type} NULL`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of NAMES) await runner.query(`ALTER TABLE \`forms\` DROP COLUMN ${name}`);
  }
}
