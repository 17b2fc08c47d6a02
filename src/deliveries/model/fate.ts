import { HOUR_MS } from '../../platform/kernel/time.js';
import { timeOf } from '../../platform/kernel/uuid.js';
import type { AttemptResult } from './outcome.js';

/**
 * Outcome of a delivery, as statistics count it. `deferred`: a try failed, and nothing is settled yet. `late`:
 * delivered after a try that failed. What was delivered stays so, whatever comes of sending it again.
 */
export type Fate = 'deferred' | 'delivered' | 'late' | 'failed';

/** Counter of deliveries for submissions. */
export type DeliveryCounter = `${'mails' | 'calls'}${'Delivered' | 'Late' | 'Failed'}`;

/** Adds to a counter of a form, in the hour in which the submission was received. */
export interface CounterChange {
  formId: number;
  /** Whole hours since 1970, in UTC. */
  hour: number;
  counter: DeliveryCounter;
  amount: number;
}

/** The facts of a delivery that decide its fate. */
interface Settled {
  kind: string;
  formId: number;
  submissionId: Buffer | null;
  fate: Fate | null;
}

/** Counters by the kind of delivery. */
const COUNTED: Readonly<Record<string, 'mails' | 'calls'>> = {
  owner_email: 'mails',
  submitter_email: 'mails',
  opt_in: 'mails',
  webhook: 'calls',
  destination: 'calls',
};

/** Tells whether deliveries of a kind count as mails. */
export function isMailAboutSubmission(kind: string): boolean {
  return COUNTED[kind] === 'mails';
}

const ENDS = { delivered: 'Delivered', late: 'Late', failed: 'Failed' } as const;

/**
 * Returns what an attempt makes of a fate.
 * @param state of the delivery after the attempt
 */
export function fateAfter(
  before: Fate | null,
  { verdict, outcome }: AttemptResult,
  state: string,
): Fate | null {
  if (before === 'delivered' || before === 'late') return before;
  if (state === 'delivered') return before === null ? 'delivered' : 'late';
  if (state === 'failed') return 'failed';
  // An end of ours, a mail that waits to be part of a digest and one that nobody misses are no tries that failed.
  const isTry = verdict !== 'interrupted' && outcome !== 'summarised' && state !== 'obsolete';
  return isTry ? (before ?? 'deferred') : before;
}

/** Returns what a changed fate changes in the counts: nothing for what is not about a submission. */
export function changesOf(delivery: Settled, before: Fate | null): CounterChange[] {
  const { kind, formId, submissionId, fate } = delivery;
  const counted = COUNTED[kind];
  if (counted === undefined || submissionId === null || fate === before) return [];
  const hour = Math.floor(timeOf(submissionId).getTime() / HOUR_MS);
  const change = (of: Fate | null, amount: number): CounterChange[] =>
    of === null || of === 'deferred'
      ? []
      : [{ formId, hour, counter: `${counted}${ENDS[of]}`, amount }];
  return [...change(before, -1), ...change(fate, 1)];
}
