/** Longest part of a receiver's answer that is kept. */
const ANSWER_MAX_BYTES = 1_024;

/** How a try ended: paid, worth trying again, not worth it, or not at all because we were stopped. */
export type AttemptVerdict = 'delivered' | 'deferred' | 'refused' | 'interrupted';

/** What may happen to a try, in one word. */
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
  | 'forbidden_address'
  | 'timed_out'
  | 'unreachable'
  | 'not_possible'
  | 'failed'
  | 'interrupted'
  | 'lost';

/** What is known of a try. */
export interface AttemptResult {
  verdict: AttemptVerdict;
  outcome: OutcomeName;
  /** The SMTP reply code or the HTTP status; null when it did not come to one. */
  code: number | null;
  /** What the receiver said, all of it; null when it said nothing. */
  answer: string | null;
  /** How long the receiver asks to be left alone. */
  retryAfterMs: number | null;
}

/** Outcomes that say nothing of the receiver, since the fault was ours. */
const OUR_FAULTS: OutcomeName[] = ['failed', 'not_possible'];

/** Whether a try met a fault of ours. */
export function isOurFault({ outcome: name }: AttemptResult): boolean {
  return OUR_FAULTS.includes(name);
}

/**
 * Says what a try showed of its destination: true when it answered, be it with a refusal, false when it
 * did not, null when it was not asked, as with a mail that is kept back or a fault of ours.
 */
export function reachedBy(ended: AttemptResult): boolean | null {
  if (ended.outcome === 'summarised') return null;
  if (ended.code !== null || ended.verdict === 'delivered') return true;
  return ended.verdict === 'deferred' && !isOurFault(ended) ? false : null;
}

/** An outcome that needs no more than its name and a sentence. */
export function attemptResult(
  result: AttemptVerdict,
  name: OutcomeName,
  answer: string | null = null,
): AttemptResult {
  return { verdict: result, outcome: name, code: null, answer, retryAfterMs: null };
}

/** The beginning of an answer, cut between characters; control characters but for lines and tabs are masked. */
export function beginningOf(answer: string): string {
  const kept = new TextEncoder().encodeInto(answer, new Uint8Array(ANSWER_MAX_BYTES));
  return answer.slice(0, kept.read).replace(/[^\P{Cc}\t\r\n]/gu, '\ufffd');
}
