import { DAY_MS, HOUR_MS } from '../../platform/index.js';

/** How often a destination sends a digest. */
export type DigestEvery = 'hour' | 'day';

/** The hour of a day in UTC at which its digest ends. */
const HOUR_OF_DAY = 8;
const LENGTHS = { hour: HOUR_MS, day: DAY_MS } as const;

/** Returns the beginning of the clock's hour of `time`. */
export function hourOf(time: Date): Date {
  return periodOf('hour', time).begin;
}

/** Returns the hour of `time`, or the day from 8:00 to 8:00 UTC. */
export function periodOf(every: DigestEvery, time: Date): { begin: Date; end: Date } {
  const length = LENGTHS[every];
  const shift = every === 'day' ? HOUR_OF_DAY * HOUR_MS : 0;
  const begin = Math.floor((time.getTime() - shift) / length) * length + shift;
  return { begin: new Date(begin), end: new Date(begin + length) };
}
