/** A digest covers one hour of the clock. */
export const HOUR_MS = 3_600_000;

/** Says when the hour of the clock began in which `time` is. */
export function hourOf(time: Date): Date {
  return new Date(Math.floor(time.getTime() / HOUR_MS) * HOUR_MS);
}
