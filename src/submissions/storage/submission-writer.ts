import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { setImmediate as endOfTurn, setTimeout as pause } from 'node:timers/promises';
import { Config } from '../../platform/config/config.js';
import {
  DatabaseUnavailable,
  isConflict,
  isConnectionLost,
  isUnavailable,
} from '../../platform/database/database.errors.js';
import { runStatements, type Statement } from '../../platform/database/statement.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { DeliveriesService } from '../../deliveries/deliveries.service.js';
import { Histogram } from '../../platform/kernel/counters.js';
import { submissionInserts, type NewSubmission } from './submission-inserts.js';
import { isDuplicateRow, refusalOf } from '../refusal-of.js';
import { WriterOverloaded } from '../submission.errors.js';
import { SubmissionQueue, type Waiting } from './submission-queue.js';
import { SubmissionsRepository } from '../submissions.repository.js';

/** Submissions that share a transaction at most, and their size. */
const BATCH_ITEMS = 200;
const BATCH_BYTES = 1024 * 1024;
/** Submissions that may wait for the next transactions; MAX_WAITING_BYTES bounds their size. */
const QUEUE_ITEMS = 5_000;
/**
 * No more may wait than the next transactions store in about this time, at the pace of the last, but
 * always one transaction's worth: those who would wait for long are better told at once.
 */
const QUEUE_WAIT_MS = 250;
/** So many submissions in one transaction came while the one before was written: that is a crowd. */
const LOAD_BATCH_ITEMS = 10;
/** A visitor gets an answer after this time, whatever the database does. */
const STORE_TIMEOUT_MS = 5_000;
/** Pause before a batch whose commit was not answered is written again; it doubles each time. */
const LOST_COMMIT_PAUSE_MS = 50;
const BATCH_BOUNDS_ITEMS = [1, 2, 5, 10, 20, 50, 100, BATCH_ITEMS];
const COMMIT_BOUNDS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** How a transaction is carried out. */
interface Way {
  run: (statements: Statement[]) => Promise<void>;
  /** What becomes of submissions whose form somebody else has for too long. */
  onConflict: (batch: Waiting[]) => void;
}

/**
 * Stores submissions, many to a transaction. It takes whatever waits when the last transaction has
 * been committed: load makes large batches, and a single submission is committed in the next turn of
 * the event loop. There is no timer. A submission is acknowledged by the commit alone.
 *
 * A transaction waits for the rows of its forms. When somebody has one of those for long, its submissions
 * are stored apart, and nobody else's wait for it.
 */
@Injectable()
export class SubmissionWriter implements OnApplicationShutdown {
  private readonly waiting = new SubmissionQueue();
  private running: Promise<void> | null = null;
  /** Forms whose submissions are stored apart at the moment. */
  private readonly apart = new Map<number, Promise<void>>();
  private readonly together: Way = {
    run: (statements) => this.unitOfWork.runStatements(statements),
    onConflict: this.separate.bind(this),
  };
  /** Submissions of each transaction that was committed. */
  readonly batchSizes = new Histogram(BATCH_BOUNDS_ITEMS);
  /** How long each of them took, in seconds. */
  readonly commitTimes = new Histogram(COMMIT_BOUNDS_SECONDS);
  /** How long the last transaction took, in milliseconds, and its submissions. */
  private lastMs = 0;
  private lastItems = 0;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly submissions: SubmissionsRepository,
    private readonly deliveries: DeliveriesService,
    private readonly config: Config,
  ) {}

  /** Whether a further submission would be refused; to be asked before its body is read. */
  get isOverloaded(): boolean {
    const transactions = Math.max(QUEUE_WAIT_MS / this.lastMs, 1);
    const { items, bytes, maxItems, maxBytes } = this.queue;
    return (
      items >= Math.min(transactions * BATCH_ITEMS, maxItems) ||
      bytes >= Math.min(transactions * BATCH_BYTES, maxBytes)
    );
  }

  /** Whether so many submissions come that what can wait should. */
  get isUnderLoad(): boolean {
    return this.running !== null && this.lastItems >= LOAD_BATCH_ITEMS;
  }

  /** What waits for the next transactions, and how much may. */
  get queue(): { items: number; bytes: number; maxItems: number; maxBytes: number } {
    return {
      items: this.waiting.items,
      bytes: this.waiting.bytes,
      maxItems: QUEUE_ITEMS,
      maxBytes: this.config.maxWaitingBytes,
    };
  }

  /**
   * Resolves once the submission is committed with its files, its count and its idempotency key.
   * @throws WriterOverloaded, DatabaseUnavailable, IdempotencyKeyTaken, SubmissionTooLong
   */
  store(submission: NewSubmission): Promise<void> {
    if (this.isOverloaded) throw new WriterOverloaded();
    return new Promise((resolve, reject) => {
      const entry: Waiting = {
        submission,
        answered: false,
        settle: (error) => {
          entry.answered = true;
          clearTimeout(timer);
          if (error) reject(error);
          else resolve();
        },
      };
      const timer = setTimeout(() => {
        this.giveUp(entry);
      }, STORE_TIMEOUT_MS);
      this.waiting.push(entry);
      this.running ??= this.drain();
    });
  }

  /** Stores what was taken in before the database is closed; no request comes any more by then. */
  async onApplicationShutdown(): Promise<void> {
    while (this.running || this.apart.size > 0) {
      await Promise.all([this.running, ...this.apart.values()]);
    }
  }

  private async drain(): Promise<void> {
    // What has arrived by now is read in this turn; the embedded database would not wait for it.
    await endOfTurn();
    let limit = BATCH_ITEMS;
    for (;;) {
      const begin = performance.now();
      const batch = this.waiting.take(limit, BATCH_BYTES, (formId) => !this.apart.has(formId));
      if (batch.length === 0) break;
      await this.commit(batch, this.together);
      this.lastItems = batch.length;
      this.lastMs = performance.now() - begin;
      // A large transaction after a small one would leave nobody to be read while it is committed.
      const even = Math.ceil((batch.length + this.waiting.items) / 2);
      limit = Math.min(Math.max(even, LOAD_BATCH_ITEMS), BATCH_ITEMS);
    }
    this.running = null;
  }

  /** One row that cannot be stored must not fail its neighbours, so a refused batch is halved. */
  private async commit(batch: Waiting[], way: Way): Promise<void> {
    try {
      await this.write(batch, way);
      // The next transaction is on its way before these are answered: the database need not wait.
      setImmediate(() => {
        for (const { settle } of batch) settle();
      });
      if (batch.some(({ submission }) => submission.planned.length > 0))
        this.deliveries.wakeWorker();
    } catch (error) {
      if (isConflict(error)) way.onConflict(batch);
      else if (isUnavailable(error)) this.failAll(batch);
      else if (batch.length === 1) batch[0]?.settle(refusalOf(error));
      else {
        const half = Math.ceil(batch.length / 2);
        await this.commit(batch.slice(0, half), way);
        await this.commit(batch.slice(half), way);
      }
    }
  }

  /** Which of the forms it is nobody tells, so each is stored by itself. */
  private separate(batch: Waiting[]): void {
    const waiting = batch.filter(({ answered }) => !answered);
    for (const entry of waiting) this.waiting.push(entry);
    for (const formId of new Set(waiting.map(({ submission }) => submission.formId))) {
      if (!this.apart.has(formId)) this.apart.set(formId, this.storeApart(formId));
    }
  }

  /** Stores what waits for one form, on a connection that others do not wait for, until it gets through. */
  private async storeApart(formId: number): Promise<void> {
    let late: Waiting[];
    do {
      late = [];
      const batch = this.waiting.take(BATCH_ITEMS, BATCH_BYTES, (id) => id === formId);
      await this.commit(batch, {
        run: (statements) => this.unitOfWork.run((tx) => runStatements(tx, statements)),
        onConflict: (some) => {
          late.push(...some);
        },
      });
      for (const { settle } of late) settle(new DatabaseUnavailable());
    } while (late.length > 0);
    this.apart.delete(formId);
    this.running ??= this.drain();
  }

  /**
   * A commit whose answer is lost may have happened. The ids were made before the transaction, so it
   * is looked up, and written again only if it did not, for those who still wait.
   */
  private async write(batch: Waiting[], { run }: Way): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const submissions = batch
        .filter(({ answered }) => !answered)
        .map(({ submission }) => submission);
      if (submissions.length === 0) return;
      const begin = performance.now();
      try {
        await run(this.statements(submissions));
        this.batchSizes.observe(submissions.length);
        this.commitTimes.observe((performance.now() - begin) / 1_000);
        return;
      } catch (error) {
        if (!isConnectionLost(error) && !isDuplicateRow(error)) throw error;
        if (await this.isStored(submissions)) return;
        if (!isConnectionLost(error)) throw error;
        await pause(LOST_COMMIT_PAUSE_MS * 2 ** attempt);
      }
    }
  }

  private statements(submissions: NewSubmission[]): Statement[] {
    const entries = submissions.map(({ id: submissionId, ...rest }) => ({ submissionId, ...rest }));
    return [...submissionInserts(submissions), ...this.deliveries.outboxInserts(entries)];
  }

  /** A transaction is whole: one of its rows tells about all. */
  private isStored([first]: NewSubmission[]): Promise<boolean> {
    return first ? this.submissions.isStored(first.id) : Promise.resolve(true);
  }

  /** What still waits will not be stored; what is being written may be. */
  private giveUp(entry: Waiting): void {
    this.waiting.remove(entry);
    entry.settle(new DatabaseUnavailable());
  }

  /** With the database away, those who wait would wait in vain. */
  private failAll(batch: Waiting[]): void {
    const all = [...batch, ...this.waiting.takeAll()];
    for (const { settle } of all) settle(new DatabaseUnavailable());
  }
}
