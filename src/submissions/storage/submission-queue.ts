import type { NewSubmission } from './submission-inserts.js';

/** Most submissions in one transaction, and their size in bytes (decision 0014). */
export const BATCH_ITEMS = 200;
const BATCH_BYTES = 1024 * 1024;
/** Most submissions in the queue: twice what the fastest measured database stores in QUEUE_WAIT_MS. */
const QUEUE_ITEMS = 5_000;
/** Longest wait at the last transaction's pace; others get 503, but one batch may always queue. */
const QUEUE_WAIT_MS = 250;

/** A submission whose visitor waits for the commit. */
export interface Waiting {
  submission: NewSubmission;
  /** Tells whether its visitor has been answered. */
  answered: boolean;
  /** Answers the visitor; called once. */
  settle: (error?: Error) => void;
}

/** Queues submissions for the next transactions in the order they came, and knows their size. */
export class SubmissionQueue {
  private entries: Waiting[] = [];
  /** Size of all waiting submissions. */
  bytes = 0;
  readonly maxItems = QUEUE_ITEMS;

  constructor(readonly maxBytes: number) {}

  get items() {
    return this.entries.length;
  }

  /** Tells whether a further submission would wait for too long when a transaction takes `ms` milliseconds. */
  isFull(ms: number) {
    const transactions = Math.max(QUEUE_WAIT_MS / ms, 1);
    return (
      this.items >= Math.min(transactions * BATCH_ITEMS, this.maxItems) ||
      this.bytes >= Math.min(transactions * BATCH_BYTES, this.maxBytes)
    );
  }

  push(entry: Waiting) {
    this.entries.push(entry);
    this.bytes += entry.submission.bytes;
  }

  /**
   * Takes the first submissions of the forms that `isMeant` selects: at least one, if there is any, however large.
   * @param maxItems most submissions
   */
  take(maxItems: number, isMeant: (formId: number) => boolean): Waiting[] {
    const taken: Waiting[] = [];
    const left: Waiting[] = [];
    let bytes = 0;
    let index = 0;
    for (const entry of this.entries) {
      const { submission } = entry;
      if (isMeant(submission.formId)) {
        const isOverloaded = taken.length === maxItems || bytes + submission.bytes > BATCH_BYTES;
        if (isOverloaded && taken.length > 0) break;
        taken.push(entry);
        bytes += submission.bytes;
      } else left.push(entry);
      index++;
    }
    this.entries.splice(0, index, ...left);
    this.bytes -= bytes;
    return taken;
  }

  takeAll(): Waiting[] {
    const all = this.entries;
    this.entries = [];
    this.bytes = 0;
    return all;
  }

  /** Removes one submission, if it is still there. */
  remove(entry: Waiting) {
    const index = this.entries.indexOf(entry);
    if (index < 0) return;
    this.entries.splice(index, 1);
    this.bytes -= entry.submission.bytes;
  }
}
