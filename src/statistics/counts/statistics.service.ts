import { Injectable } from '@nestjs/common';
import type { Scope } from '../../access/principal.js';
import { DeliveryFates } from '../../deliveries/deliveries.service.js';
import { FormQueries, type FormSummary } from '../../forms/form-queries.service.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { inPortions } from '../../platform/background/pace.js';
import { boundariesOf, endsOf, spanBefore, type Span } from '../span.js';
import { DAY, HOUR, countersOf, NOTHING, sumsOf, type Counters, type Sums } from './sums.js';
import { RecentCounts, type Counted } from './recent-counts.js';
import { SubmissionCountsRepository } from './submission-counts.repository.js';
import { HOUR_MS, SECOND_MS } from '../../platform/kernel/time.js';
import { BackgroundTask, type TaskRun } from '../../platform/background/task-runner.js';
import { Projected, type Projection } from '../../projections/projections.js';

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

/** Counts what forms received, by the hours of UTC that begin in a bucket. */
@Injectable()
@Projected({ tables: ['submission_counts', 'counter_changes'] })
export class StatisticsService implements Projection {
  constructor(
    private readonly counts: SubmissionCountsRepository,
    private readonly sums: RecentCounts,
    private readonly lists: FormQueries,
    private readonly fates: DeliveryFates,
    private readonly unitOfWork: UnitOfWork,
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
    const [lastDay, before] = await Promise.all([
      this.sums.ofAccounts(accountIds, HOUR, hour - DAY, hour + 1),
      this.sums.ofAccounts(accountIds, DAY, day - 7 * DAY, day),
    ]);
    return { lastDay, before };
  }

  /**
   * Returns what each of these forms received on each of the last days of UTC, today last.
   * @param forms in the scope
   */
  async lastDays(
    { accountId }: Scope,
    forms: readonly Pick<FormSummary, 'id'>[],
    days: number,
    now: Date,
  ): Promise<Map<number, number[]>> {
    const today = floorDay(Math.floor(now.getTime() / HOUR_MS));
    const first = today - (days - 1) * DAY;
    const ids = forms.map(({ id }) => id);
    const byForm = new Map(ids.map((id) => [id, Array.from({ length: days }, () => 0)]));
    for (const { formId, begins, submissions } of await this.sums.daysOfEach(
      { accountId, formIds: ids },
      first,
    )) {
      const at = (begins - first) / DAY;
      const row = byForm.get(formId);
      if (row && at < days) row[at] = submissions;
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
  ofEach(
    { accountId }: Scope,
    forms: readonly Pick<FormSummary, 'id'>[],
    from: Date,
    to: Date,
  ): Promise<Map<number, Sums>> {
    const formIds = forms.map(({ id }) => id);
    const time = { length: DAY, from: hourAfter(from), to: hourAfter(to) } as const;
    return this.sums.ofEach({ accountId, formIds }, time);
  }

  /** Counts what became of deliveries. */
  @BackgroundTask('count deliveries', SECOND_MS)
  async countDeliveries({ signal }: TaskRun): Promise<void> {
    const countSome = () =>
      this.fates.countSome((tx, changes) =>
        this.counts
          .in(tx)
          .add(
            changes.map(({ formId, hour, counter, amount }) => ({
              ...{ formId, hour },
              [counter]: amount,
            })),
          ),
      );
    await inPortions(countSome, signal);
  }

  /** Removes the counts of a deleted form, in small transactions. */
  async forgetForm(formId: number, signal?: AbortSignal): Promise<void> {
    const forgetSome = () => this.unitOfWork.run((tx) => this.counts.in(tx).forgetSome(formId));
    await inPortions(forgetSome, signal);
  }

  private async read(of: Counters, span: Span): Promise<Statistics> {
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
  private async byHours(of: Counters, boundaries: readonly Date[]): Promise<Sums[]> {
    const bounds = boundaries.map(hourAfter);
    const [from = 0, to = 0] = [bounds[0], bounds.at(-1)];
    return summed(await this.sums.between(of, HOUR, from, to), bounds);
  }

  /**
   * Sums up whole days between each boundary and the next, and the hours between a boundary and the nearest begin of
   * a day: so that a long span reads few rows.
   */
  private async byDays(of: Counters, boundaries: readonly Date[]): Promise<Sums[]> {
    const bounds = boundaries.map(hourAfter);
    const days = bounds.map(nearestDay);
    const [from = 0, to = 0] = [days[0], days.at(-1)];
    const whole = summed(await this.sums.between(of, DAY, from, to), days);
    // The hours between each boundary and its day, before the one or the other.
    const between = bounds.map((bound, index) => hoursBetween(bound, days[index] ?? bound));
    const rows = await this.sums.inHours(of, [...new Set(between.flat())]);
    const byHour = new Map(rows.map((row) => [row.begins, row]));
    const parts = between.map((hours, index) => {
      const sum = hours.reduce((all, hour) => plus(all, byHour.get(hour) ?? NOTHING), NOTHING);
      return (bounds[index] ?? 0) < (days[index] ?? 0) ? minus(NOTHING, sum) : sum;
    });
    return whole.map((sum, index) =>
      plus(minus(sum, parts[index] ?? NOTHING), parts[index + 1] ?? NOTHING),
    );
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

/** Sums up rows, which are in the order of time, between each bound and the next. */
function summed(rows: readonly Counted[], bounds: readonly number[]): Sums[] {
  const sums = bounds.slice(1).map(() => NOTHING);
  let at = 0;
  for (const row of rows) {
    while (at < sums.length - 1 && row.begins >= (bounds[at + 1] ?? 0)) at++;
    sums[at] = plus(sums[at] ?? NOTHING, row);
  }
  return sums;
}

/** Returns the hours from one until before another, whichever is first. */
function hoursBetween(one: number, other: number): number[] {
  const first = Math.min(one, other);
  return Array.from({ length: Math.max(one, other) - first }, (_, n) => first + n);
}

function plus(a: Sums, b: Sums): Sums {
  return sumsOf((counter) => a[counter] + b[counter]);
}

function minus(a: Sums, b: Sums): Sums {
  return sumsOf((counter) => a[counter] - b[counter]);
}

/** Returns the first whole hour since 1970 that does not begin before a moment. */
function hourAfter(moment: Date): number {
  return Math.ceil(moment.getTime() / HOUR_MS);
}

function floorDay(hour: number): number {
  return hour - (hour % DAY);
}

/** Returns the begin of a day of UTC that is nearest to an hour. */
function nearestDay(hour: number): number {
  return floorDay(hour + DAY / 2);
}
