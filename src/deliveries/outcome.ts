/** Longest part of a receiver's answer that is kept. */
const ANSWER_MAX_BYTES = 1_024;

/** How a try ended: paid, worth trying again, not worth it, or not at all because we were stopped. */
export type Result = 'delivered' | 'deferred' | 'refused' | 'interrupted';

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
  | 'forbidden_address'
  | 'timed_out'
  | 'unreachable'
  | 'not_possible'
  | 'failed'
  | 'interrupted'
  | 'lost';

/** What is known of a try. */
export interface Outcome {
  result: Result;
  outcome: OutcomeName;
  /** The SMTP reply code or the HTTP status; null when it did not come to one. */
  code: number | null;
  /** What the receiver said, all of it; null when it said nothing. */
  answer: string | null;
  /** How long the receiver asks to be left alone. */
  retryAfterMs: number | null;
}

/** An outcome that needs no more than its name and a sentence. */
export function outcome(result: Result, name: OutcomeName, answer: string | null = null): Outcome {
  return { result, outcome: name, code: null, answer, retryAfterMs: null };
}

/** The beginning of an answer, cut between characters; control characters but for lines and tabs are masked. */
export function beginningOf(answer: string): string {
  const kept = new TextEncoder().encodeInto(answer, new Uint8Array(ANSWER_MAX_BYTES));
  return answer.slice(0, kept.read).replace(/[^\P{Cc}\t\r\n]/gu, '\ufffd');
}
