/** Spans of time in milliseconds. Days are spans too, not days of a calendar. */
export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Returns how long ago a moment was, in milliseconds. */
export function ageAt(now: Date, moment: Date): number {
  return now.getTime() - moment.getTime();
}
