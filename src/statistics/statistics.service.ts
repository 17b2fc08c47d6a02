import { Injectable } from '@nestjs/common';
import type { Scope } from '../accounts/access/index.js';
import { FormQueries, type FormSummary } from '../forms/form-queries.service.js';
import { inSlices, HOUR_MS } from '../platform/index.js';
import { CountersRepository } from './counters.repository.js';
import {
  type Stretch,
  allFormsOf,
  RECEIVED,
  REFUSED,
  DAY,
  HOUR,
  countersOf,
  NOTHING,
  sumsOf,
  type Sums,
  type Whose,
} from './sums.js';
import { boundariesOf, endsOf, spanBefore, type Span } from './span.js';

/** Most hours that are told at once: a hundred years. */
const HOURS_MAX = 876_600;
/** Hours that one statement names: with more, servers would read all hours. */
const HOURS_AT_ONCE = 400;

/** Sums received, with the outcomes of emails and webhook calls, from `start` until before `end`. */
export interface Bucket extends Sums {
  start: Date;
  end: Date;
}

/** Sums received within a span, and within as many days before it. */
export interface Statistics {
  buckets: Bucket[];
  totals: Sums;
  before: Bucket;
}

/** Sums up what forms received, by the hours of UTC that begin in a bucket. */
@Injectable()
export class StatisticsService {
  constructor(
    private readonly counters: CountersRepository,
    private readonly lists: FormQueries,
  ) {}

  /** @throws FormNotFound, SpanEmpty, TooManyBuckets */
  async ofForm(scope: Scope, identifier: string, span: Span): Promise<Statistics> {
    const form = await this.lists.get(scope, identifier);
    return this.read(await countersOf(this.lists, scope, form), span);
  }

  /**
   * Counts what all forms in the scope received.
   * @throws SpanEmpty, TooManyBuckets
   */
  async ofAll(scope: Scope, span: Span): Promise<Statistics> {
    return this.read(await countersOf(this.lists, scope, null), span);
  }

  /** Sums up what accounts received in the last 24 hours, and in the seven days of UTC before the last. */
  async lately(accountIds: readonly number[], now: Date): Promise<{ lastDay: Sums; before: Sums }> {
    const hour = Math.floor(now.getTime() / HOUR_MS);
    const day = floorDay(hour) - DAY;
    const ids = accountIds.map(allFormsOf);
    const all = async (time: Stretch) => [...(await this.receivedBy(ids, time)).values()].reduce(plus, NOTHING);
    const [lastDay, before] = await Promise.all([
      all({ length: HOUR, from: hour - DAY, to: hour + 1 }),
      all({ length: DAY, from: day - 7 * DAY, to: day }),
    ]);
    return { lastDay, before };
  }

  /**
   * Returns what each of these forms received on each of the last days of UTC, today last.
   * @param forms in the scope
   */
  async lastDays(forms: readonly Pick<FormSummary, 'id'>[], days: number, now: Date): Promise<Map<number, number[]>> {
    const today = floorDay(Math.floor(now.getTime() / HOUR_MS));
    const first = today - (days - 1) * DAY;
    const ids = forms.map(({ id }) => id);
    const byForm = new Map(ids.map((id) => [id, Array.from({ length: days }, () => 0)]));
    const found = await this.counters.amounts(
      { ids },
      {
        ...{ names: [RECEIVED], item: 'submissions', by: ['formId', 'begins'] as const },
        when: [{ length: DAY, from: first, to: today + DAY }],
      },
    );
    for (const { formId, begins, amount } of found) {
      const row = byForm.get(formId);
      if (row) row[(begins - first) / DAY] = amount;
    }
    return byForm;
  }

  /**
   * Sums up what each of these forms received in whole days of UTC, from one until before another; without forms that
   * received nothing.
   * @param forms in the scope
   * @param from begin of a day
   * @param to begin of a day
   */
  ofEach(forms: readonly Pick<FormSummary, 'id'>[], from: Date, to: Date): Promise<Map<number, Sums>> {
    const ids = forms.map(({ id }) => id);
    return this.receivedBy(ids, { length: DAY, from: hourAfter(from), to: hourAfter(to) });
  }

  /** Sums up what each of these forms, or all of an account, received in a time; without those that received nothing. */
  receivedBy(ids: readonly number[], time: Stretch): Promise<Map<number, Sums>> {
    return this.counters.sums({ ids }, time, 'formId');
  }

  /** Returns the newest hours, up to `limit`, from `from` on in which a form received a submission, oldest first. */
  activeHours(formId: number, from: number, limit: number): Promise<number[]> {
    return this.counters.activeHours([formId], from, limit);
  }

  /** Returns the hours from one on in which any form of these accounts received a submission, oldest first. */
  activeHoursOfAll(accountIds: readonly number[], from: number): Promise<number[]> {
    return this.counters.activeHours(accountIds.map(allFormsOf), from, HOURS_MAX);
  }

  /** Returns the newest hour in which each of these forms received a submission; without forms that have none. */
  newestHours(formIds: readonly number[]): Promise<Map<number, number>> {
    return this.counters.newestHours(formIds);
  }

  /** Returns how often these forms refused a submission in each hour of a time, with the text of the reason. */
  async refused(ids: readonly number[], from: number, to: number) {
    const names = [REFUSED];
    const by = ['formId', 'begins', 'item'] as const;
    const [amounts, reasons] = await Promise.all([
      this.counters.amounts({ ids }, { names, when: [{ length: HOUR, from, to }], by }),
      this.counters.texts({ ids }, ['item'], names),
    ]);
    const texts = new Map(reasons.map(({ item, text }) => [item, text]));
    return amounts.map((each) => ({ ...each, text: texts.get(each.item) ?? null }));
  }

  private async read(of: Whose, span: Span): Promise<Statistics> {
    const boundaries = boundariesOf(span);
    const before = endsOf(spanBefore(span));
    const [sums, [sumBefore = NOTHING]] = await Promise.all([
      span.by === 'hour' ? this.byHours(of, boundaries) : this.byDays(of, boundaries),
      this.byDays(of, before),
    ]);
    const [start, end] = before;
    return {
      buckets: bucketsOf(boundaries, sums),
      totals: sums.reduce(plus, NOTHING),
      before: { start, end, ...sumBefore },
    };
  }

  /** Sums up the hours between each boundary and the next. */
  private async byHours(of: Whose, boundaries: readonly Date[]) {
    const bounds = boundaries.map(hourAfter);
    const [from = 0, to = 0] = [bounds[0], bounds.at(-1)];
    return summed(await this.counters.sums(of, { length: HOUR, from, to }, 'begins'), bounds);
  }

  /**
   * Sums up whole days between each boundary and the next, and the hours between a boundary and the nearest begin of
   * a day: so that a long span reads few rows.
   */
  private async byDays(of: Whose, boundaries: readonly Date[]) {
    const bounds = boundaries.map(hourAfter);
    const days = bounds.map(nearestDay);
    const [from = 0, to = 0] = [days[0], days.at(-1)];
    const whole = summed(await this.counters.sums(of, { length: DAY, from, to }, 'begins'), days);
    // The hours between each boundary and its day, before the one or the other: each are in one half of a day.
    const between = bounds.flatMap((bound, index) => hoursBetween(bound, days[index] ?? bound));
    const byHalf = new Map<number, Sums>();
    for (const hours of inSlices([...new Set(between)], HOURS_AT_ONCE)) {
      const [first, last] = [Math.min(...hours), Math.max(...hours)];
      const time = { length: HOUR, from: first, to: last + 1, hours };
      for (const [half, sums] of await this.counters.sums(of, time, 'half')) {
        byHalf.set(half, plus(sums, byHalf.get(half) ?? NOTHING));
      }
    }
    const parts = days.map((day, index) => {
      const isBefore = (bounds[index] ?? 0) < day;
      const sum = byHalf.get(isBefore ? day - DAY / 2 : day) ?? NOTHING;
      return isBefore ? minus(NOTHING, sum) : sum;
    });
    return whole.map((sum, index) => plus(minus(sum, parts[index] ?? NOTHING), parts[index + 1] ?? NOTHING));
  }
}

/** Leaves out what was imported; `imported` stays, to say so. */
export function withoutImports({ buckets, totals, before }: Statistics): Statistics {
  // A verdict that changed after the import may make them more.
  const less = <Some extends Sums>(sums: Some): Some => {
    return { ...sums, submissions: Math.max(sums.submissions - sums.imported, 0) };
  };
  return { buckets: buckets.map(less), totals: less(totals), before: less(before) };
}

function bucketsOf(boundaries: readonly Date[], sums: readonly Sums[]): Bucket[] {
  return sums.flatMap((sum, index) => {
    const [start, end] = boundaries.slice(index, index + 2);
    return start && end ? [{ start, end, ...sum }] : [];
  });
}

/** Sums up hours or days between each bound and the next. */
function summed(all: ReadonlyMap<number, Sums>, bounds: readonly number[]) {
  const sums = bounds.slice(1).map(() => NOTHING);
  let at = 0;
  for (const [begins, sum] of [...all].sort(([one], [other]) => one - other)) {
    while (at < sums.length - 1 && begins >= (bounds[at + 1] ?? 0)) at++;
    sums[at] = plus(sums[at] ?? NOTHING, sum);
  }
  return sums;
}

/** Returns the hours from one until before another, whichever is first. */
function hoursBetween(one: number, other: number) {
  const first = Math.min(one, other);
  return Array.from({ length: Math.max(one, other) - first }, (_, n) => first + n);
}

function plus(a: Sums, b: Sums) {
  return sumsOf((counter) => a[counter] + b[counter]);
}

function minus(a: Sums, b: Sums) {
  return sumsOf((counter) => a[counter] - b[counter]);
}

/** Returns the first whole hour since 1970 that does not begin before a moment. */
function hourAfter(moment: Date) {
  return Math.ceil(moment.getTime() / HOUR_MS);
}

function floorDay(hour: number) {
  return hour - (hour % DAY);
}

/** Returns the begin of a day of UTC that is nearest to an hour. */
function nearestDay(hour: number) {
  return floorDay(hour + DAY / 2);
}
