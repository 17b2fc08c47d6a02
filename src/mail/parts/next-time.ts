import { addDays, dayAt, hourOfDay } from '../../platform/kernel/time.js';

/** How often a mail is sent; a week's on Mondays. */
export const EVERY = ['day', 'week'] as const;

export type Every = (typeof EVERY)[number];

const DAYS_OF_WEEK = 7;
/** The day of the week as `getUTCDay()` counts. */
const MONDAY = 1;

/** Returns the first time after `now` at which a mail is sent, at an hour by the clocks somewhere. */
export function nextTime(every: Every, hour: number, timeZone: string, now: Date): Date {
  for (let day = dayAt(now, timeZone), left = DAYS_OF_WEEK; ; day = addDays(day, 1), left--) {
    const time = hourOfDay(day, hour, timeZone);
    const isItsDay = every === 'day' || new Date(`${day}T00:00:00Z`).getUTCDay() === MONDAY;
    if ((isItsDay && time.getTime() > now.getTime()) || left < 0) return time;
  }
}
