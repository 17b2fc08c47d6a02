import { timeOf } from '../../platform/kernel/uuid.js';
import { HOUR_MS } from '../../platform/kernel/durations.js';

/**
 * What a form received within an hour: `submissions` that are not spam, and `spam`. A change of a verdict takes
 * from one and adds to the other.
 */
export interface Received {
  formId: number;
  /** Whole hours since 1970, in UTC. */
  hour: number;
  submissions: number;
  spam: number;
}

/** What is counted of a submission. */
export interface Countable {
  id: Buffer;
  formId: number;
  isSpam: boolean;
}

/** Returns what these submissions add to the counts, one entry for each form and hour. */
export function receivedOf(submissions: readonly Countable[]): Received[] {
  return summedUp(
    submissions.map(({ id, formId, isSpam }) => ({
      formId,
      hour: hourOf(id),
      submissions: isSpam ? 0 : 1,
      spam: isSpam ? 1 : 0,
    })),
  );
}

/** Returns what a changed verdict changes in the counts. */
export function receivedAnew(submission: Countable): Received[] {
  const by = submission.isSpam ? -1 : 1;
  const { id, formId } = submission;
  return [{ formId, hour: hourOf(id), submissions: by, spam: -by }];
}

/** Adds up what belongs to the same form and hour, in the order of both. */
function summedUp(all: readonly Received[]): Received[] {
  const sums = new Map<string, Received>();
  for (const { formId, hour, submissions, spam } of all) {
    const key = `${formId} ${hour}`;
    const known = sums.get(key) ?? { formId, hour, submissions: 0, spam: 0 };
    known.submissions += submissions;
    known.spam += spam;
    sums.set(key, known);
  }
  return [...sums.values()].sort((a, b) => a.formId - b.formId || a.hour - b.hour);
}

/** Returns the text that a batch keeps: JSON, a list of four numbers for each form and hour. */
export function encodeReceived(received: readonly Received[]): string {
  return JSON.stringify(
    received.map(({ formId, hour, submissions, spam }) => [formId, hour, submissions, spam]),
  );
}

/** Reads what `encodeReceived` wrote; nothing from a batch of a version that did not count. */
export function decodeReceived(text: string | null): Received[] {
  const rows = JSON.parse(text ?? '[]') as [number, number, number, number][];
  return rows.map(([formId, hour, submissions, spam]) => ({ formId, hour, submissions, spam }));
}

function hourOf(id: Buffer): number {
  return Math.floor(timeOf(id).getTime() / HOUR_MS);
}
