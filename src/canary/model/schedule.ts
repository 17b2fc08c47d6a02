import { createHash } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '../../platform/kernel/time/durations.js';

/** How often a canary runs. */
export const SCHEDULES = ['off', 'weekly', 'daily', 'hourly'] as const;
export type Schedule = (typeof SCHEDULES)[number];

const INTERVALS_MS = { weekly: 7 * DAY_MS, daily: DAY_MS, hourly: HOUR_MS };
/** Later than any run. */
const NEVER = new Date('9999-12-31T00:00:00Z');

/**
 * Returns the next run after a time. Each form has its own moment of the interval, so that those of an instance are spread
 * over all of it.
 */
export function nextRun(schedule: Schedule, formId: number, after: Date): Date {
  if (schedule === 'off') return NEVER;
  const interval = INTERVALS_MS[schedule];
  const hash = createHash('sha256').update(String(formId)).digest().readUInt32BE();
  const offset = Math.floor((hash / 2 ** 32) * interval);
  const turns = Math.floor((after.getTime() - offset) / interval) + 1;
  return new Date(turns * interval + offset);
}
