import { HOUR_MS } from '../../../platform/kernel/time.js';

/** Hours of a day, a week and a year of whole weeks. Hours are numbers: whole hours from 1970 on, in UTC. */
export const DAY_HOURS = 24;
export const WEEK_HOURS = 7 * DAY_HOURS;
export const YEAR_HOURS = 52 * WEEK_HOURS;

/** Part of what silence says on other days, between Christmas and the first of January. */
const CALM = 0.05;

/** Returns the hour that a moment is in. */
export function hourOf(at: Date): number {
  return Math.floor(at.getTime() / HOUR_MS);
}

/** Returns the begin of an hour. */
export function momentOf(hour: number): Date {
  return new Date(hour * HOUR_MS);
}

/** Returns how much the silence of an hour says, from 0 to 1: little on the days from 24 December to 1 January. */
export function calmAt(hour: number): number {
  const date = momentOf(hour);
  const month = date.getUTCMonth();
  const day = date.getUTCDate();
  return (month === 11 && day >= 24) || (month === 0 && day === 1) ? CALM : 1;
}
