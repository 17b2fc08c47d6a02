import type { NewSubmission } from './submission-inserts.js';

/** A submission whose visitor waits. */
export interface Waiting {
  submission: NewSubmission;
  /** Whether its visitor has been answered. */
  answered: boolean;
  /** Answers the visitor, once. */
  settle: (error?: Error) => void;
}

/** Submissions that wait for a transaction, in the order they came, and their size. */
export class SubmissionQueue {
  private entries: Waiting[] = [];
  /** Of all that wait. */
  bytes = 0;

  get items(): number {
    return this.entries.length;
  }

  push(entry: Waiting): void {
    this.entries.push(entry);
    this.bytes += entry.submission.bytes;
  }

  /**
   * Takes the first ones of the forms that are meant; one at least, if there is any, however large.
   * @param maxItems at most so many
   * @param maxBytes at most so large together
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

  /** Takes one out, if it is still there. */
  remove(entry: Waiting): void {
    const index = this.entries.indexOf(entry);
    if (index < 0) return;
    this.entries.splice(index, 1);
    this.bytes -= entry.submission.bytes;
  }
}
