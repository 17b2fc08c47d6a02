import { Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { DataSource, type EntityManager } from 'typeorm';
import { isRetryable } from './database.errors.js';

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
  private readonly serial: boolean;
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly database: DataSource) {
    this.serial = database.options.type === 'better-sqlite3';
  }

  /**
   * Runs `work` in a transaction and commits it; rolls back when it throws. A deadlock runs `work`
   * again from the start, so it may change nothing but rows, and never calls the network.
   * @param work gets the manager that repositories are bound to with `in(tx)`
   */
  run<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    if (!this.serial) return this.attempt(work);
    const mine = this.last.then(() => this.attempt(work));
    this.last = mine.catch(() => undefined);
    return mine;
  }

  private async attempt<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    const lastStart = performance.now() + RETRY_WINDOW_MS;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.database.transaction(work);
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !isRetryable(error)) throw error;
        if (performance.now() > lastStart) throw error;
        await pause(Math.random() * FIRST_PAUSE_MS * 2 ** (attempt - 1));
      }
    }
  }
}
