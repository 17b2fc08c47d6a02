import { addDays } from '../platform/kernel/time/days.js';
import { DAY_MS, HOUR_MS } from '../platform/kernel/time/durations.js';
import type { Span } from '../statistics/span.js';

/** The client of recipients of the weekly mail, which is about all forms of the account. */
export const WHOLE_ACCOUNT = 0;

/** Hour of UTC at which weekly mails go out on Mondays. */
const HOUR = 6;
/** Milliseconds from 1970, a Thursday, to the first of those moments. */
const FIRST_MS = 4 * DAY_MS + HOUR * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;

/** Returns the first Monday at 6:00 UTC after a moment. */
export function mondayAfter(now: Date): Date {
  const weeks = Math.floor((now.getTime() - FIRST_MS) / WEEK_MS) + 1;
  return new Date(FIRST_MS + weeks * WEEK_MS);
}

/** Returns the seven days of UTC before today. */
export function lastWeek(now: Date): Span {
  const to = now.toISOString().slice(0, 10);
  return { from: addDays(to, -7), to, zone: 'UTC', by: 'week' };
}
