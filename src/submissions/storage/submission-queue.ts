import type { NewSubmission } from './submission-inserts.js';

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

  get items(): number {
    return this.entries.length;
  }

  push(entry: Waiting): void {
    this.entries.push(entry);
    this.bytes += entry.submission.bytes;
  }

  /**
   * Takes the first submissions of the forms that `isMeant` selects: at least one, if there is any.
   * @param maxItems most submissions
   * @param maxBytes most bytes together, except for a single larger one
   */
  take(maxItems: number, maxBytes: number, isMeant: (formId: number) => boolean): Waiting[] {
    const taken: Waiting[] = [];
    const left: Waiting[] = [];
    let bytes = 0;
    let index = 0;
    for (const entry of this.entries) {
      const { submission } = entry;
      if (isMeant(submission.formId)) {
        const isOverloaded = taken.length === maxItems || bytes + submission.bytes > maxBytes;
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
  remove(entry: Waiting): void {
    const index = this.entries.indexOf(entry);
    if (index < 0) return;
    this.entries.splice(index, 1);
    this.bytes -= entry.submission.bytes;
  }
}
