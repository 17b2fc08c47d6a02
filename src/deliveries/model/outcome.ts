import { HOUR_MS, timeOf } from '../../platform/index.js';

/** Longest part of a receiver's answer that is stored, in UTF-8 bytes. */
const ANSWER_MAX_BYTES = 1_024;

/**
 * How an attempt ended. `deferred`: worth another attempt. `refused`: not worth one. `interrupted`: ended by
 * us, or waits for somebody to mend our settings, so it does not count.
 */
export type AttemptVerdict = 'delivered' | 'deferred' | 'refused' | 'interrupted';

/** Why it ended so, as the API shows it. */
export type OutcomeName =
  | 'accepted'
  | 'written'
  | 'deferred'
  | 'refused'
  | 'gone'
  | 'obsolete'
  | 'disabled'
  | 'suppressed'
  | 'summarised'
  | 'bounced'
  | 'delayed'
  | 'complained'
  | 'bounced_before'
  | 'own_sender'
  | 'forbidden_address'
  | 'timed_out'
  | 'unreachable'
  | 'not_possible'
  | 'failed'
  | 'interrupted'
  | 'lost';

/** The result of an attempt. */
export interface AttemptResult {
  verdict: AttemptVerdict;
  outcome: OutcomeName;
  /** SMTP reply code or HTTP status; null when the receiver did not send one. */
  code: number | null;
  /** The receiver's whole answer; null when it sent none. */
  answer: string | null;
  /** How long the receiver asks us to wait, in milliseconds. */
  retryAfterMs: number | null;
  /** Whether a mail server was asked that only a client's mails go through: it says nothing about ours. */
  isApart?: boolean;
}

/** Reasons that say nothing about the receiver, since the fault was ours. */
const OUR_FAULTS: OutcomeName[] = ['failed', 'not_possible'];

/** Tells whether an attempt failed through a fault of ours. */
export function isOurFault({ outcome: name }: AttemptResult) {
  return OUR_FAULTS.includes(name);
}

/**
 * Tells what an attempt showed of its receiver: true when it answered, even with a refusal; false when it
 * did not; null when it was not asked, as with a suppressed mail or a fault of ours.
 */
export function reachedBy(ended: AttemptResult): boolean | null {
  if (ended.outcome === 'summarised' || ended.isApart) return null;
  if (ended.code !== null || ended.verdict === 'delivered') return true;
  return ended.verdict === 'deferred' && !isOurFault(ended) ? false : null;
}

/** Returns the result of what is not sent, since its destination is paused. */
export function destinationPaused(): AttemptResult {
  const answer = 'The destination is paused. Resume it to send this again.';
  return attemptResult('refused', 'disabled', answer);
}

/** How long a delivery waits for a key that opens a secret until it is looked at again, in milliseconds. */
const KEY_AGAIN_MS = HOUR_MS;

/** Returns the result of what waits until a key opens its secret, and loses no try meanwhile. */
export function secretUnreadable(answer: string): AttemptResult {
  return { ...attemptResult('interrupted', 'failed', answer), retryAfterMs: KEY_AGAIN_MS };
}

/** Returns a result that has a reason and a sentence, and no code. */
export function attemptResult(result: AttemptVerdict, name: OutcomeName, answer: string | null = null): AttemptResult {
  return { verdict: result, outcome: name, code: null, answer, retryAfterMs: null };
}

/**
 * Returns the first ANSWER_MAX_BYTES of an answer, cut between characters. Control characters other than line
 * breaks and tabs are replaced.
 */
export function beginningOf(answer: string) {
  const kept = new TextEncoder().encodeInto(answer, new Uint8Array(ANSWER_MAX_BYTES));
  return answer.slice(0, kept.read).replace(/[^\P{Cc}\t\r\n]/gu, '\ufffd');
}

/** The kinds of deliveries that are no mails: calls over HTTP, and probes, which wait for no mail. */
export const CALLS: readonly string[] = ['webhook', 'destination', 'probe'];

/** The mails to addresses that a visitor typed, or that their owner may not have entered. */
export const TO_STRANGERS: readonly string[] = ['submitter_email', 'confirmation', 'opt_in'];

/** Whether a visitor has confirmed a submission; `waiting` withholds all that it causes, but for the mail that asks. */
export const OPT_IN_STATES = ['waiting', 'confirmed'] as const;
export type OptInState = (typeof OPT_IN_STATES)[number];

/** The time of a delivery that is withheld until a person releases it. */
export const UNTIL_RELEASED = new Date('9000-01-01T00:00:00Z');

/** Submissions of which nothing goes out now. */
export interface KeptBack {
  spam: Buffer[];
  /** With when each is released by itself; null: when a person says so. */
  held: { id: Buffer; until: Date | null }[];
}

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
export function isMailAboutSubmission(kind: string) {
  return COUNTED[kind] === 'mails';
}

const ENDS = { delivered: 'Delivered', late: 'Late', failed: 'Failed' } as const;

/**
 * Returns what an attempt makes of a fate.
 * @param state of the delivery after the attempt
 */
export function fateAfter(before: Fate | null, { verdict, outcome }: AttemptResult, state: string): Fate | null {
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
    of === null || of === 'deferred' ? [] : [{ formId, hour, counter: `${counted}${ENDS[of]}`, amount }];
  return [...change(before, -1), ...change(fate, 1)];
}
