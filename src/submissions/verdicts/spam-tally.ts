import { BY_HAND, type Verdict } from '../../spam/evidence/verdict.js';
import { SPAM_LEVEL_NAMES, SPAM_LEVELS, type SpamLevel } from '../../spam/judge/spam-level.js';
import type { SpamSettings } from '../../spam/judge/spam-settings.js';

/** Submissions that a signal caught. */
export interface SignalCount {
  name: string;
  /** Submissions in which it found something that speaks for spam. */
  found: number;
  /** Those of them that were held, and those that were spam, before anybody decided. */
  held: number;
  spam: number;
  /** Those held or spam of which somebody said that they are no spam. */
  reversed: number;
}

/** Submissions that all signals together caught; a submission counts once. */
export interface SpamTotals extends Omit<SignalCount, 'name' | 'found'> {
  /** Submissions that were clean, and which somebody called spam. */
  missed: number;
}

/** Counts that each level would have held or called spam; a submission counts once. */
export type LevelCounts = Record<SpamLevel, { held: number; spam: number }>;

/** Counts what signals found, what people said of it, and what other levels would have made of it. */
export class SpamTally {
  private readonly counts: Map<string, SignalCount>;
  readonly totals: SpamTotals = { held: 0, spam: 0, reversed: 0, missed: 0 };
  readonly levels: LevelCounts = {
    relaxed: { held: 0, spam: 0 },
    normal: { held: 0, spam: 0 },
    strict: { held: 0, spam: 0 },
  };

  /**
   * @param names of the signals that are shown in any case
   * @param settings by which is judged what somebody decided since
   */
  constructor(
    names: readonly string[],
    private readonly settings: SpamSettings,
  ) {
    this.counts = new Map(names.map((name) => [name, nothing(name)]));
  }

  get signals(): SignalCount[] {
    return [...this.counts.values()];
  }

  add(verdict: Verdict): void {
    for (const level of SPAM_LEVEL_NAMES) {
      const band = this.settings.bandBy(SPAM_LEVELS[level], verdict);
      if (band !== 'clean') this.levels[level][band]++;
    }
    const judged = verdict.judged(this.settings);
    const isReversed = judged !== 'clean' && verdict.isDecided && !verdict.isSpam;
    if (judged === 'clean' && verdict.isDecided && verdict.isSpam) this.totals.missed++;
    const speaking = verdict.parts.filter(({ name, points }) => name !== BY_HAND && points > 0);
    const counts = speaking.map(({ name }) => this.of(name));
    for (const count of counts) count.found++;
    if (judged === 'clean') return;
    for (const count of [...counts, this.totals]) {
      count[judged]++;
      if (isReversed) count.reversed++;
    }
  }

  private of(name: string): SignalCount {
    const known = this.counts.get(name) ?? nothing(name);
    this.counts.set(name, known);
    return known;
  }
}

function nothing(name: string): SignalCount {
  return { name, found: 0, held: 0, spam: 0, reversed: 0 };
}
