import { asked, wrapped } from '../../platform/http/wrapped.js';
import { IsInt, Max, Min } from 'class-validator';
import { parseMoment } from '../../platform/kernel/time/moment.js';
import { Flag, Optional, Parsed, Text } from '../../platform/kernel/validation.js';
import { ALWAYS_OPEN, IntakeGate } from '../model/intake-gate.js';

/** Times when a form takes submissions, and how many. */
class OpeningDto {
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

  static of({ opening }: IntakeGate): OpeningDto {
    const { paused, message, closesAt, maxSubmissions, mergesRepeats } = opening;
    const closes_at = closesAt?.toISOString() ?? null;
    return {
      ...{ paused, message, closes_at, max_submissions: maxSubmissions },
      merge_repeats: mergesRepeats,
    };
  }
}

export class IntakeGateDto extends wrapped('intake', OpeningDto) {}

/** Longest message to visitors, in characters. */
const MESSAGE_MAX = 500;
/** Most submissions that a limit can name. */
const SUBMISSIONS_MAX = 1_000_000_000;
const SUBMISSIONS = {
  message: `must be a whole number from 1 to ${SUBMISSIONS_MAX}, or null`,
};

/** Times when a form takes submissions, and how many. Absent: its default. */
class SetOpeningDto {
  /** Whether the form takes no submissions now; false by default. */
  @Flag()
  @Optional()
  paused?: boolean;

  /** Sentence for visitors while it is closed, 1 to 500 characters; null, as by default, for ours. */
  @Text({ min: 1, max: MESSAGE_MAX, trim: true })
  @Optional({ nullable: true })
  message?: string | null;

  /** When it closes, ISO 8601; null, as by default, for never. */
  @Parsed('wrong_date', parseMoment, 'must be a date and time such as 2030-01-31T18:00+01:00')
  @Optional({ nullable: true })
  closes_at?: string | null;

  /** Submissions that it takes in all, from 1 on, without spam; null, as by default, for any number. */
  @Max(SUBMISSIONS_MAX, SUBMISSIONS)
  @Min(1, SUBMISSIONS)
  @IsInt(SUBMISSIONS)
  @Optional({ nullable: true })
  max_submissions?: number | null;

  /**
   * Whether equal submissions of one sender within ten seconds stand with the first one, and are told once; true by
   * default. False for forms where people at one computer send the same, such as votes.
   */
  @Flag()
  @Optional()
  merge_repeats?: boolean;
}

export class SetIntakeGateDto extends asked('intake', SetOpeningDto) {
  static gate({ intake }: SetIntakeGateDto): IntakeGate {
    const { paused, message, closes_at, max_submissions, merge_repeats } = intake;
    return new IntakeGate({
      paused: paused ?? ALWAYS_OPEN.paused,
      message: message ?? null,
      closesAt: closes_at == null ? null : new Date(closes_at),
      maxSubmissions: max_submissions ?? null,
      mergesRepeats: merge_repeats ?? ALWAYS_OPEN.mergesRepeats,
    });
  }
}
