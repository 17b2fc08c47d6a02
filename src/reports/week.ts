import { nextTime } from '../mail/parts/message.js';
import { addDays, HOUR_MS, ConflictError, fact } from '../platform/index.js';
import type { Span } from '../statistics/span.js';

/** Hour of UTC at which reports and weekly mails go out. */
const HOUR = 6;

/** Returns the first Monday at 6:00 UTC after a moment. */
export function mondayAfter(now: Date): Date {
  return nextTime('week', HOUR, 'UTC', now);
}

/** Returns the seven days of UTC before today. */
export function lastWeek(now: Date): Span {
  const to = now.toISOString().slice(0, 10);
  return { from: addDays(to, -7), to, zone: 'UTC', by: 'week' };
}

const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;

/** Reads a month, such as `2030-01`; null for anything else. */
export function parseMonth(value: unknown): string | null {
  return typeof value === 'string' && MONTH.test(value) ? value : null;
}

/** Returns the month that is so many months later; earlier when they are negative. */
export function addMonths(month: string, months: number) {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + months)).toISOString().slice(0, 7);
}

/** Returns the moment at which a month begins in UTC. */
export function beginOf(month: string): Date {
  return new Date(`${month}-01T00:00:00Z`);
}

/** Returns the last month that is over at a moment, in UTC. */
export function lastMonth(now: Date) {
  return addMonths(now.toISOString().slice(0, 7), -1);
}

/** Returns when the report of a month is mailed. */
export function mailedAt(month: string): Date {
  return new Date(beginOf(addMonths(month, 1)).getTime() + HOUR * HOUR_MS);
}

const NAME = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Returns the name of a month, such as `January 2030`. */
export function nameOf(month: string) {
  return NAME.format(beginOf(month));
}

/** A report is to be sent, and nobody has confirmed that they want it. */
export class NobodyGetsReport extends fact(
  ConflictError,
  'nobody_gets_report',
  'Add a recipient first. New ones may have to confirm their address.',
) {}
