import { SPAM_LEVELS, type SpamLevel } from '../../../spam/judge/spam-level.js';
import { DaysDto } from '../../days-query.dto.js';
import type { Days } from '../../span.js';
import type { SignalCount } from '../../../submissions/verdicts/verdicts.repository.js';
import type { SpamStatistics } from '../spam-statistics.service.js';

/** Totals of held and spam submissions; each counts once. */
export class SpamTotalsDto {
  held: number;
  spam: number;
  /** How many of both somebody said to be no spam. */
  reversed: number;
  /** How many that were clean somebody marked as spam. */
  missed: number;
}

/** Submissions that a signal caught; a submission counts for each signal that found something in it. */
export class SignalCountDto {
  name: string;
  /** Submissions in which it found something, clean ones too. */
  found: number;
  held: number;
  spam: number;
  /** How many of those held or spam somebody said to be no spam. */
  reversed: number;

  static of({ name, found, held, spam, reversed }: SignalCount): SignalCountDto {
    return { name, found, held, spam, reversed };
  }
}

/** Counts that a level would have given for the same submissions, by the points of then. */
export class LevelCountDto {
  /** From this score on a submission is held, and from this one on it is spam. */
  held_at: number;
  spam_at: number;
  /** How many it would have held. */
  held: number;
  /** How many it would have called spam. */
  spam: number;
}

/** Counts for each level; set one by `level` of the spam settings. */
export class LevelCountsDto {
  relaxed: LevelCountDto;
  normal: LevelCountDto;
  strict: LevelCountDto;
}

/** Submissions caught by the signals of a form within a span, of those still stored. */
export class SpamStatisticsDto extends DaysDto {
  signals: SignalCountDto[];
  totals: SpamTotalsDto;
  levels: LevelCountsDto;
  /** Null when all was looked at; else the newest 5,000 in which something was found were, back to this time. */
  looked_to: string | null;

  static of(
    { from, to, zone }: Days,
    { signals, totals, levels, lookedTo }: SpamStatistics,
  ): SpamStatisticsDto {
    const { held, spam, reversed, missed } = totals;
    return {
      ...{ from, to, zone },
      signals: signals.map((each) => SignalCountDto.of(each)),
      totals: { held, spam, reversed, missed },
      levels: {
        relaxed: levelOf('relaxed', levels),
        normal: levelOf('normal', levels),
        strict: levelOf('strict', levels),
      },
      looked_to: lookedTo?.toISOString() ?? null,
    };
  }
}

function levelOf(level: SpamLevel, levels: SpamStatistics['levels']): LevelCountDto {
  const { heldAt, spamAt } = SPAM_LEVELS[level];
  const { held, spam } = levels[level];
  return { held_at: heldAt, spam_at: spamAt, held, spam };
}
