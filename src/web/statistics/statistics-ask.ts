import { addDays, dayAt, daysBetween, parseDay } from '../../platform/kernel/time/days.js';
import { STEPS, type Span, type Step } from '../../statistics/span.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { textOf, type Typed } from '../parts/typed.js';
import { statisticsWords } from './words.js';

/** Spans that end today, by their name in the address. */
export const SPANS = ['7d', '30d', '90d', '12m'] as const;
type SpanName = (typeof SPANS)[number];

const SPAN_BY_DEFAULT: SpanName = '30d';
/** Length of a bar in each span, so that a chart has few enough. */
const STEP_OF: Record<SpanName, Step> = {
  '7d': 'day',
  '30d': 'day',
  '90d': 'week',
  '12m': 'month',
};

/** Filter of the statistics page, as its address has it. */
export interface StatisticsAsk {
  /** Null when the days are chosen by hand. */
  name: SpanName | null;
  /** First day, as it was typed. */
  from: string;
  /** Last day, as it was typed. */
  to: string;
  by: Step;
  problems: FieldProblem[];
}

/**
 * Reads an address.
 * @param zone of the person who looks
 */
export function askOf(query: Typed, zone: string, now: Date): StatisticsAsk {
  const today = dayAt(now, zone);
  const from = textOf(query, 'from').trim();
  const to = textOf(query, 'to').trim();
  const step = STEPS.find((each) => each === textOf(query, 'by'));
  if (from !== '' || to !== '') {
    const ask = { name: null, from, to: to === '' ? today : to, by: step ?? 'day' };
    return { ...ask, problems: problemsOf(ask) };
  }
  const name = SPANS.find((each) => each === textOf(query, 'span')) ?? SPAN_BY_DEFAULT;
  return { name, from: firstOf(name, today), to: today, by: step ?? STEP_OF[name], problems: [] };
}

/** Returns the span of days that can be read; the usual one in place of those that cannot. */
export function spanOf({ from, to, by, problems }: StatisticsAsk, zone: string, now: Date): Span {
  if (problems.length === 0) return { from, to: addDays(to, 1), by, zone };
  const today = dayAt(now, zone);
  return { from: firstOf(SPAN_BY_DEFAULT, today), to: addDays(today, 1), by: 'day', zone };
}

function problemsOf({ from, to }: { from: string; to: string }): FieldProblem[] {
  const { notADay, wrongOrder } = statisticsWords;
  const problems = Object.entries({ from, to })
    .filter(([, day]) => parseDay(day) === null)
    .map(([field]) => ({ field, code: 'wrong_date', message: notADay }));
  if (problems.length > 0 || daysBetween(from, to) >= 0) return problems;
  return [{ field: 'to', code: 'span_empty', message: wrongOrder }];
}

/** Returns the first day of a span. Twelve months begin with the first of one, so that only the last bar is not full. */
function firstOf(name: SpanName, today: string): string {
  if (name !== '12m') return addDays(today, 1 - Number(name.slice(0, -1)));
  const [year = 0, month = 0] = today.split('-').map(Number);
  return new Date(Date.UTC(year, month - 12, 1)).toISOString().slice(0, 10);
}
