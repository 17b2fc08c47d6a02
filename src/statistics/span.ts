import { addDays, daysBetween, startOfDay, HOUR_MS, InvalidInputError } from '../platform/index.js';

class SpanEmpty extends InvalidInputError {
  constructor() {
    const message = 'to must be later than from';
    super('span_empty', `${message}.`, [{ field: 'to', code: 'span_empty', message }]);
  }
}

/** The span has more hours, days, weeks or months than one answer holds. */
class TooManyBuckets extends InvalidInputError {
  constructor(max: number) {
    const message = `by must divide the period into at most ${max} parts; choose a larger unit or a shorter period`;
    super('too_many_buckets', `${message}.`, [{ field: 'by', code: 'too_many_buckets', message }]);
  }
}

/** Lengths of buckets; each bucket begins with one of these in the time zone. */
export const STEPS = ['hour', 'day', 'week', 'month'] as const;
export type Step = (typeof STEPS)[number];

/** Most buckets of one answer. */
const BUCKETS_MAX = 400;
/** Longest step in days: a longer span has too many buckets in any case. */
const STEP_DAYS_MAX = 31;

/** Days somewhere. */
export interface Days {
  /** First day, such as `2030-01-31`. */
  from: string;
  /** The day after the last. */
  to: string;
  /** IANA name. */
  zone: string;
}

/** The time that statistics are about. */
export interface Span extends Days {
  by: Step;
}

/**
 * Returns where the buckets of a span begin, in order, and where the last one ends. The first and the last may
 * be parts of a week or a month.
 * @throws SpanEmpty, TooManyBuckets
 */
export function boundariesOf(span: Span): Date[] {
  const { from, to, by } = span;
  const days = daysBetween(from, to);
  if (days <= 0) throw new SpanEmpty();
  if (days > BUCKETS_MAX * STEP_DAYS_MAX) throw new TooManyBuckets(BUCKETS_MAX);
  const boundaries = by === 'hour' ? hoursOf(span) : midnightsOf(span);
  if (boundaries.length > BUCKETS_MAX + 1) throw new TooManyBuckets(BUCKETS_MAX);
  return boundaries;
}

/** Returns the span of as many days that ends where this one begins. */
export function spanBefore(span: Span): Span {
  const { from, to } = span;
  return { ...span, from: addDays(from, -daysBetween(from, to)), to: from };
}

/**
 * Returns when days begin and end.
 * @throws SpanEmpty
 */
export function endsOf({ from, to, zone }: Days): [begin: Date, end: Date] {
  if (daysBetween(from, to) <= 0) throw new SpanEmpty();
  return [momentOf(from, zone), momentOf(to, zone)];
}

function hoursOf(span: Span) {
  const [begin, end] = endsOf(span);
  const hours = Math.round((end.getTime() - begin.getTime()) / HOUR_MS);
  if (hours > BUCKETS_MAX) throw new TooManyBuckets(BUCKETS_MAX);
  return Array.from({ length: hours + 1 }, (_, n) => new Date(begin.getTime() + n * HOUR_MS));
}

function midnightsOf({ from, to, by, zone }: Span) {
  const days: string[] = [];
  for (let day = from; day < to; day = addDays(day, 1)) {
    if (day === from || isFirst(day, by)) days.push(day);
  }
  if (days.length > BUCKETS_MAX) throw new TooManyBuckets(BUCKETS_MAX);
  return [...days, to].map((day) => momentOf(day, zone));
}

/** Tells whether a bucket begins with a day; weeks begin on Monday. */
function isFirst(day: string, by: Step) {
  if (by === 'month') return day.endsWith('-01');
  return by === 'day' || new Date(`${day}T00:00:00Z`).getUTCDay() === 1;
}

function momentOf(day: string, zone: string) {
  const moment = startOfDay(day, zone);
  if (!moment) throw new SpanEmpty();
  return moment;
}
