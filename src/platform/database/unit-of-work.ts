import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { DataSource, type EntityManager } from 'typeorm';
import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import { isRetryable, runStatements, type Statement } from './sql.js';
import { SubmissionConnection } from './data-source.js';
import { resetAbortedTransaction } from './driver-workarounds.js';
import { Clock } from '../kernel/time.js';
import { isEmbedded } from './select-rows.js';

/** How often a transaction is run that the database rolls back, in all. */
const MAX_ATTEMPTS = 8;

/** Longest wait before the second attempt, in milliseconds; it doubles with each further one. */
const FIRST_PAUSE_MS = 10;

/** No further attempt begins after this time, in milliseconds; waiting for a lock takes up to three seconds each. */
const RETRY_WINDOW_MS = 2_000;

/**
 * Runs one transaction; the only way to write.
 *
 * On a server each call takes a connection of its own. The embedded database has one connection for all,
 * where two transactions at once would become one, and a rollback of either would remove the other's rows. So
 * the calls wait for each other there.
 */
@Injectable()
export class UnitOfWork {
  private readonly embedded: BetterSqlite3Driver | null;
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly database: DataSource,
    @Inject(SubmissionConnection)
    private readonly submissionConnection: SubmissionConnection | null,
    private readonly clock: Clock,
  ) {
    this.embedded = isEmbedded(database) ? (database.driver as BetterSqlite3Driver) : null;
  }

  /** Tells the time by which changes are decided and dated. */
  now(): Date {
    return this.clock.now();
  }

  get isEmbedded() {
    return this.embedded !== null;
  }

  /**
   * Runs `work` in a transaction and commits it; rolls back when it throws. After a deadlock `work` runs again from the
   * start, up to MAX_ATTEMPTS times or RETRY_WINDOW_MS. So it may change nothing but rows, and never calls the network.
   * @param work gets the manager that repositories are bound to with `in(tx)`
   * @throws what `work` throws, or the driver's last error
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

  /** Runs statements in a transaction of their own and commits it, in as few round trips as possible. */
  runStatements(statements: readonly Statement[]) {
    const { submissionConnection } = this;
    if (submissionConnection) return this.attempt(() => submissionConnection.run(statements));
    return this.run((tx) => runStatements(tx, statements));
  }

  /** Checks that rows can be written in the way that submissions are, and writes none. @throws the driver's error */
  assertWritable() {
    return this.runStatements([
      // By its whole key: servers lock each row that they read.
      { sql: "DELETE FROM signals WHERE topic = '' AND subject_id = -1" },
    ]);
  }

  private async attempt<T>(transaction: () => Promise<T>) {
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
