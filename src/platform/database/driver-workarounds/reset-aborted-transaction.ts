import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';

/**
 * Replaces the query runner when SQLite has ended a transaction by itself: a commit does so when the disk is
 * full. TypeORM's rollback then fails, and it would make later transactions parts of one that is never
 * committed. Written for TypeORM 1.1.
 */
export function resetAbortedTransaction(driver: BetterSqlite3Driver): void {
  const connection = driver.databaseConnection as {
    inTransaction: boolean;
    exec(sql: string): void;
  };
  if (connection.inTransaction) connection.exec('ROLLBACK');
  if (driver.queryRunner?.isTransactionActive) driver.queryRunner = undefined;
}
