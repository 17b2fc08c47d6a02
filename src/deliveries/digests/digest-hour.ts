import { HOUR_MS } from '../../platform/kernel/time/durations.js';

/** Returns the beginning of the clock's hour of `time`. */
export function hourOf(time: Date): Date {
  return new Date(Math.floor(time.getTime() / HOUR_MS) * HOUR_MS);
}
