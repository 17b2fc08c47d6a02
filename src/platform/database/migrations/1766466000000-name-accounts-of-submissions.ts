import { TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns } from './columns.js';

const TABLE = 'submissions';
const COLUMN = 'account_id';

/** Indexes by their tables. */
const INDEXES: readonly (readonly [table: string, name: string, columnNames: string[]])[] = [
  [TABLE, 'ix_submissions_account', [COLUMN, 'trash', 'spam', 'done', 'id', 'form_id']],
  ['clients', 'ix_clients_account', [COLUMN, 'id']],
  ['forms', 'ix_forms_purge', ['purged_at', 'deleted_at']],
];

/**
 * Says in each submission whose account it is, so that one index has those of all its forms in the order of time; orders
 * the clients of each account, and finds deleted forms among many. Upkeep fills in the accounts of what is there: to
 * write all submissions here would take long.
 */
export class NameAccountsOfSubmissions1766466000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    if (!(await runner.hasColumn(TABLE, COLUMN))) {
      const { type } = columns(runner).int(COLUMN);
      // Written out, since TypeORM would copy the whole table on SQLite.
      await runner.query(`ALTER TABLE ${TABLE} ADD COLUMN ${COLUMN} ${type} NOT NULL DEFAULT 0`);
    }
    for (const [table, name, columnNames] of INDEXES) {
      await runner.dropIndex(table, name, true);
      await runner.createIndex(table, new TableIndex({ name, columnNames }));
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table, name] of INDEXES) await runner.dropIndex(table, name);
    await runner.query(`ALTER TABLE ${TABLE} DROP COLUMN ${COLUMN}`);
  }
}
