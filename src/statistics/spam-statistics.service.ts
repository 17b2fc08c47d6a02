import { Injectable } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { FormQueries } from '../forms/form-queries.service.js';
import type { Scope } from '../accounts/access/index.js';
import { addDays, dayAt, firstUuidAt, timeOf } from '../platform/index.js';
import { SpamSettings } from '../spam/judge/spam-settings.js';
import { endsOf, type Days } from './span.js';
import {
  SpamTally,
  type LevelCounts,
  type SignalCount,
  type SpamTotals,
  VerdictsRepository,
} from '../submissions/verdicts/verdicts.repository.js';

/** Verdicts that one statement reads, and those that are looked at, the newest ones. */
const PORTION_ROWS = 1_000;
const LOOKED_ROWS_MAX = 5_000;
/** Days that pages show, today with them. */
const LATEST_DAYS = 30;

/** Results of the signals of a form in a span. */
export interface SpamStatistics {
  /** In the order in which they are shown; then those that there were before. */
  signals: SignalCount[];
  totals: SpamTotals;
  /** Counts that each level would have given, by the points of then. */
  levels: LevelCounts;
  /** Up to where was looked back; null when all was looked at. */
  lookedTo: Date | null;
}

/** Counts how much each signal caught, and how often people reversed it. */
@Injectable()
export class SpamStatisticsService {
  constructor(
    private readonly verdicts: VerdictsRepository,
    private readonly forms: FormQueries,
  ) {}

  /** Counts the last 30 days of UTC. @throws FormNotFound */
  latest(scope: Scope, identifier: string, now: Date): Promise<SpamStatistics> {
    const to = addDays(dayAt(now, 'UTC'), 1);
    return this.ofForm(scope, identifier, { from: addDays(to, -LATEST_DAYS), to, zone: 'UTC' });
  }

  /** @throws FormNotFound, SpanEmpty */
  async ofForm(scope: Scope, identifier: string, days: Days): Promise<SpamStatistics> {
    const form = await this.forms.get(scope, identifier);
    const settings = SpamSettings.of(form);
    const tally = new SpamTally(Object.keys(settings.signals), settings);
    const [begin, end] = endsOf(days);
    const from = firstUuidAt(begin);
    let before = firstUuidAt(end);
    for (let looked = 0; looked < LOOKED_ROWS_MAX; looked += PORTION_ROWS) {
      const rows = await this.verdicts.between(form.id, from, before, PORTION_ROWS);
      for (const { verdict } of rows) tally.add(verdict);
      const last = rows.at(-1);
      if (!last || rows.length < PORTION_ROWS) return { ...resultOf(tally), lookedTo: null };
      before = last.submissionId;
      await nextTurn();
    }
    return { ...resultOf(tally), lookedTo: timeOf(before) };
  }
}

function resultOf({ signals, totals, levels }: SpamTally): Omit<SpamStatistics, 'lookedTo'> {
  return { signals, totals, levels };
}
