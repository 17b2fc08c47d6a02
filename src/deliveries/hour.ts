/** The hour that a digest covers, in milliseconds. */
export const HOUR_MS = 3_600_000;

/** Returns when the hour of the clock began that holds `time`. */
export function hourOf(time: Date): Date {
  return new Date(Math.floor(time.getTime() / HOUR_MS) * HOUR_MS);
}
