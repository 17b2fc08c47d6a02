import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columns } from './columns.js';

const TABLES = ['forms', 'bulk_jobs'];
const COLUMN = 'erasures';

/** Counts how often something of a form was erased, and says in each export which of them it came after. */
export class CountErasures1766473000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { type } = columns(runner).int(COLUMN);
    for (const table of TABLES) {
      if (await runner.hasColumn(table, COLUMN)) continue;
      // Written out, since TypeORM would copy the whole table on SQLite.
      await runner.query(`ALTER TABLE ${table} ADD COLUMN ${COLUMN} ${type} NOT NULL DEFAULT 0`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`ALTER TABLE ${table} DROP COLUMN ${COLUMN}`);
  }
}
