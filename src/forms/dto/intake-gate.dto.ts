import type { IntakeGate } from '../model/intake-gate.js';

/** Times when a form takes submissions, and how many. */
export class OpeningDto {
  /** Whether the form takes no submissions now. */
  paused: boolean;

  /** Sentence for visitors while it is closed; null for ours. */
  message: string | null;

  /** When it closes, ISO 8601 in UTC; null for never. */
  closes_at: string | null;

  /** Submissions that it takes in all, without spam; null for any number. */
  max_submissions: number | null;

  /** Whether equal submissions of one sender within seconds stand with the first one, and are told once. */
  merge_repeats: boolean;
}

export class IntakeGateDto {
  intake: OpeningDto;

  static of({ opening }: IntakeGate): IntakeGateDto {
    const { paused, message, closesAt, maxSubmissions, mergesRepeats } = opening;
    const closes_at = closesAt?.toISOString() ?? null;
    return {
      intake: {
        ...{ paused, message, closes_at, max_submissions: maxSubmissions },
        merge_repeats: mergesRepeats,
      },
    };
  }
}
