/** The hour that a digest covers, in milliseconds. */
export const HOUR_MS = 3_600_000;

/** Returns the beginning of the clock's hour of `time`. */
export function hourOf(time: Date): Date {
  return new Date(Math.floor(time.getTime() / HOUR_MS) * HOUR_MS);
}
