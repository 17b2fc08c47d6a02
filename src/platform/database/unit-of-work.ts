import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { DataSource, type EntityManager } from 'typeorm';
import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import { isRetryable } from './database.errors.js';
import { SubmissionConnection } from './submission-connection.js';
import { runStatements, type Statement } from './statement.js';

/** How often a transaction that the database took back is run again. */
const MAX_ATTEMPTS = 8;
/** Longest wait before the second attempt; it doubles with each further one. */
const FIRST_PAUSE_MS = 10;
/** No further attempt begins after this time; waits for a lock take up to three seconds each. */
const RETRY_WINDOW_MS = 2_000;

/**
 * One transaction; the only way to write.
 *
 * On a server each call takes a connection of its own. The embedded database has one connection for
 * all, where two transactions at once would become one and a rollback of either would take the
 * other's rows with it: there the calls wait for each other.
 */
@Injectable()
export class UnitOfWork {
  private readonly embedded: BetterSqlite3Driver | null;
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly database: DataSource,
    @Inject(SubmissionConnection)
    private readonly submissionConnection: SubmissionConnection | null,
  ) {
    const embedded = database.options.type === 'better-sqlite3';
    this.embedded = embedded ? (database.driver as BetterSqlite3Driver) : null;
  }

  /**
   * Runs `work` in a transaction and commits it; rolls back when it throws. A deadlock runs `work`
   * again from the start, so it may change nothing but rows, and never calls the network.
   * @param work gets the manager that repositories are bound to with `in(tx)`
   */
  run<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    const { embedded } = this;
    if (!embedded) return this.attempt(() => this.database.transaction(work));
    const mine = this.last.then(() =>
      this.attempt(() => {
        resetAbortedTransaction(embedded);
        return this.database.transaction(work);
      }),
    );
    this.last = mine.catch(() => undefined);
    return mine;
  }

  /** Runs statements in a transaction of their own, and commits it, as fast as the database can. */
  runStatements(statements: readonly Statement[]): Promise<void> {
    const { submissionConnection } = this;
    if (submissionConnection) return this.attempt(() => submissionConnection.run(statements));
    return this.run((tx) => runStatements(tx, statements));
  }

  private async attempt<T>(transaction: () => Promise<T>): Promise<T> {
    const lastStart = performance.now() + RETRY_WINDOW_MS;
    for (let attempt = 1; ; attempt++) {
      try {
        return await transaction();
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !isRetryable(error)) throw error;
        if (performance.now() > lastStart) throw error;
        await pause(Math.random() * FIRST_PAUSE_MS * 2 ** (attempt - 1));
      }
    }
  }
}

/**
 * SQLite ends a transaction by itself when a commit finds the disk full. TypeORM's rollback then fails,
 * it takes the transaction for open, and makes the next ones parts of one that nobody commits. A new
 * runner knows of none.
 */
function resetAbortedTransaction(driver: BetterSqlite3Driver): void {
  const connection = driver.databaseConnection as {
    inTransaction: boolean;
    exec(sql: string): void;
  };
  if (connection.inTransaction) connection.exec('ROLLBACK');
  if (driver.queryRunner?.isTransactionActive) driver.queryRunner = undefined;
}
