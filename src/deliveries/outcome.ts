/** How a try ended: paid, worth trying again, or not. */
export type Result = 'delivered' | 'deferred' | 'refused';

/** What is known of a try. */
export interface Outcome {
  result: Result;
  /** What happened, in one word such as `accepted`, `timed_out` or `forbidden_address`. */
  outcome: string;
  /** The SMTP reply code or the HTTP status; null when it did not come to one. */
  code: number | null;
  /** What the receiver said, as it said it; null when it said nothing. */
  answer: string | null;
  /** How long the receiver asks to be left alone. */
  retryAfterMs: number | null;
}

/** An outcome that needs no more than its name and a sentence. */
export function outcome(result: Result, name: string, answer: string | null = null): Outcome {
  return { result, outcome: name, code: null, answer, retryAfterMs: null };
}
