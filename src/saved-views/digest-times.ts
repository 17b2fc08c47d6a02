import { addDays, dayAt, hourOfDay } from '../platform/kernel/time.js';

/** How often a digest is sent; a week's on Mondays. */
export const EVERY = ['day', 'week'] as const;

export type Every = (typeof EVERY)[number];

/** When a digest is sent, by the clocks of the person. */
const HOUR = 8;
const DAYS_OF_WEEK = 7;
/** The day of the week as `getUTCDay()` counts. */
const MONDAY = 1;

/** Returns the first time after `now` at which a digest is sent. */
export function nextTime(every: Every, timeZone: string, now: Date): Date {
  for (let day = dayAt(now, timeZone), left = DAYS_OF_WEEK; ; day = addDays(day, 1), left--) {
    const time = hourOfDay(day, HOUR, timeZone);
    const isItsDay = every === 'day' || new Date(`${day}T00:00:00Z`).getUTCDay() === MONDAY;
    if ((isItsDay && time.getTime() > now.getTime()) || left < 0) return time;
  }
}
