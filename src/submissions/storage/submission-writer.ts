import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { setImmediate as endOfTurn, setTimeout as pause } from 'node:timers/promises';
import { Config, Histogram, gauge, histogram, Measured } from '../../platform/index.js';
import {
  DatabaseUnavailable,
  isConflict,
  isConnectionLost,
  isUnavailable,
  runStatements,
  type Statement,
  UnitOfWork,
} from '../../platform/database/index.js';
import { DeliveriesService } from '../../deliveries/deliveries.service.js';
import {
  outboxEntries,
  submissionInserts,
  type NewSubmission,
  isDuplicateRow,
  refusalOf,
} from './submission-inserts.js';
import { WriterOverloaded } from '../model/submission.errors.js';
import { BATCH_ITEMS, SubmissionQueue, type Waiting } from './submission-queue.js';
import { SubmissionsRepository } from '../rows/submissions.repository.js';

/** Batch sizes from which the writer counts as under load; upkeep then waits, which visitors of a file feel sooner. */
const LOAD_BATCH_ITEMS = { server: 10, embedded: 3 };
/** The least that a transaction may take of what waits. */
const BATCH_ITEMS_MIN = 10;
/** Longest rest between two transactions of the embedded database, in milliseconds. */
const REST_MAX_MS = 20;
/** Longest time until a visitor gets an answer, whatever the database does, in milliseconds. */
const STORE_TIMEOUT_MS = 5_000;
/** Pause before a batch whose commit was not answered is written again, in milliseconds; it doubles. */
const LOST_COMMIT_PAUSE_MS = 50;
const BATCH_BOUNDS_ITEMS = [1, 2, 5, 10, 20, 50, 100, BATCH_ITEMS];
const COMMIT_BOUNDS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** How a transaction is run. */
interface Way {
  run: (statements: Statement[]) => Promise<void>;
  /** Called with submissions whose form's row another transaction locks for too long. */
  onConflict: (batch: Waiting[]) => void;
}

/**
 * Stores submissions, many to a transaction (decision 0014). It takes everything that waits when the last transaction has
 * committed: load makes large batches, and a single submission is committed in the next turn of the event loop. Only a
 * commit acknowledges a submission. A transaction waits for the rows of its forms. When another one locks one of them for
 * too long, that form's submissions are stored apart, so that other forms do not wait for it.
 */
@Injectable()
export class SubmissionWriter implements OnApplicationShutdown {
  /** The submissions that wait. */
  readonly queue: SubmissionQueue;
  private running: Promise<void> | null = null;
  /** Forms whose submissions are stored apart, until a transaction gets through; null while none waits. */
  private readonly apart = new Map<number, Promise<void> | null>();
  private readonly together: Way = {
    run: (statements) => this.unitOfWork.runStatements(statements),
    onConflict: this.separate.bind(this),
  };
  /** Counts committed transactions by their number of submissions. */
  readonly batchSizes = new Histogram(BATCH_BOUNDS_ITEMS);
  /** Counts committed transactions by their duration in seconds. */
  readonly commitTimes = new Histogram(COMMIT_BOUNDS_SECONDS);
  /** Duration of the last transaction in milliseconds, and its submissions. */
  private lastMs = 0;
  private lastItems = 0;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly submissions: SubmissionsRepository,
    private readonly deliveries: DeliveriesService,
    config: Config,
  ) {
    this.queue = new SubmissionQueue(config.intake.maxWaitingBytes);
  }

  @Measured()
  metrics() {
    const { items, bytes, maxItems, maxBytes } = this.queue;
    return [
      histogram('fcs_batch_submissions', 'Submissions of each committed transaction.', this.batchSizes),
      histogram(
        'fcs_commit_duration_seconds',
        'How long each transaction of submissions took, commit included.',
        this.commitTimes,
      ),
      gauge('fcs_queue_submissions', 'Submissions that wait to be stored.', items),
      gauge('fcs_queue_bytes', 'Size of the submissions that wait to be stored.', bytes),
      gauge('fcs_queue_max_submissions', 'Submissions that may wait to be stored.', maxItems),
      gauge('fcs_queue_max_bytes', 'Size of the submissions that may wait to be stored.', maxBytes),
    ];
  }

  /** Tells whether a further submission would be refused; asked before its body is read. */
  get isOverloaded() {
    return this.queue.isFull(this.lastMs);
  }

  /** Tells whether submissions come so fast that other work should wait. */
  get isUnderLoad() {
    const { isEmbedded } = this.unitOfWork;
    const items = LOAD_BATCH_ITEMS[isEmbedded ? 'embedded' : 'server'];
    return this.running !== null && this.lastItems >= items;
  }

  /**
   * Resolves once the submission is committed with its files, its count and its idempotency key.
   * @throws WriterOverloaded, DatabaseUnavailable, IdempotencyKeyTaken, SubmissionTooLong
   */
  store(submission: NewSubmission): Promise<void> {
    if (this.isOverloaded) return Promise.reject(new WriterOverloaded());
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
      this.queue.push(entry);
      if (this.apart.get(submission.formId) === null) this.beginApart(submission.formId);
      else this.running ??= this.drain();
    });
  }

  /** Stores the queue before the database is closed. No request comes any more by then. */
  async onApplicationShutdown() {
    const underWay = () => [this.running, ...this.apart.values()].filter((each) => each !== null);
    while (underWay().length > 0) await Promise.all(underWay());
  }

  private async drain() {
    // Requests that wait in the socket are read first: the embedded database would block them.
    await endOfTurn();
    let limit = BATCH_ITEMS;
    for (;;) {
      const begin = performance.now();
      const batch = this.queue.take(limit, (formId) => !this.apart.has(formId));
      if (batch.length === 0) break;
      await this.commit(batch, this.together);
      this.lastItems = batch.length;
      this.lastMs = performance.now() - begin;
      // Even batches: some visitors are read while the others are committed (decision 0014).
      const even = Math.ceil((batch.length + this.queue.items) / 2);
      limit = Math.min(Math.max(even, BATCH_ITEMS_MIN), BATCH_ITEMS);
      // Nobody is read while the embedded database commits: they get as long before the next transaction.
      // (`setTimeout` of the process, and not `pause`, which tests cannot move.)
      if (this.unitOfWork.isEmbedded && batch.length > 1) {
        await new Promise((resolve) => setTimeout(resolve, Math.min(this.lastMs, REST_MAX_MS)));
      }
    }
    this.running = null;
  }

  /** Commits a batch. A refused batch is halved, so that one bad row does not fail its neighbours. */
  private async commit(batch: Waiting[], way: Way) {
    try {
      await this.write(batch, way);
      // The next transaction starts before these are answered, so that the database does not idle.
      setImmediate(() => {
        for (const { settle } of batch) settle();
      });
      if (batch.some(({ submission }) => submission.planned.length > 0)) this.deliveries.wakeWorker();
    } catch (error) {
      if (isConflict(error)) way.onConflict(batch);
      else if (isUnavailable(error)) this.failAll(batch, error);
      else if (batch.length === 1) batch[0]?.settle(refusalOf(error));
      else {
        const half = Math.ceil(batch.length / 2);
        await this.commit(batch.slice(0, half), way);
        await this.commit(batch.slice(half), way);
      }
    }
  }

  /** Stores each form of a batch apart: the error does not say whose row was locked. */
  private separate(batch: Waiting[]) {
    const waiting = batch.filter(({ answered }) => !answered);
    for (const entry of waiting) this.queue.push(entry);
    for (const formId of new Set(waiting.map(({ submission }) => submission.formId))) {
      if (!this.apart.get(formId)) this.beginApart(formId);
    }
  }

  private beginApart(formId: number) {
    this.apart.set(formId, this.storeApart(formId));
  }

  /** Stores the queue of one form on a connection of its own, until a transaction gets through or none waits. */
  private async storeApart(formId: number) {
    let late: Waiting[];
    do {
      late = [];
      const batch = this.queue.take(BATCH_ITEMS, (id) => id === formId);
      if (batch.length === 0) {
        this.apart.set(formId, null);
        return;
      }
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
   * Writes a batch, also after a commit whose answer was lost. The ids were made before, so a look-up shows
   * whether it happened. If not, the batch is written again for the visitors who still wait.
   */
  private async write(batch: Waiting[], { run }: Way) {
    for (let attempt = 1; ; attempt++) {
      const submissions = batch.filter(({ answered }) => !answered).map(({ submission }) => submission);
      const [first] = submissions;
      if (!first) return;
      const begin = performance.now();
      try {
        await run(this.statements(submissions));
        this.batchSizes.observe(submissions.length);
        this.commitTimes.observe((performance.now() - begin) / 1_000);
        return;
      } catch (error) {
        if (!isConnectionLost(error) && !isDuplicateRow(error)) throw error;
        // A transaction is whole, so that one of its rows is enough.
        if (await this.submissions.isStored(first.id)) return;
        if (!isConnectionLost(error)) throw error;
        await pause(LOST_COMMIT_PAUSE_MS * 2 ** attempt);
      }
    }
  }

  private statements(submissions: NewSubmission[]) {
    const outbox = this.deliveries.outboxInserts(outboxEntries(submissions));
    return [...submissionInserts(submissions), ...outbox];
  }

  /**
   * Answers a visitor who waited too long. A submission in the queue is dropped; one being written may still be stored.
   */
  private giveUp(entry: Waiting) {
    this.queue.remove(entry);
    entry.settle(new DatabaseUnavailable());
  }

  /** Answers all who wait: with the database away, waiting does not help them. */
  private failAll(batch: Waiting[], cause: unknown) {
    const all = [...batch, ...this.queue.takeAll()];
    for (const { settle } of all) settle(new DatabaseUnavailable(cause));
  }
}
