/** Weeks whose same weekday tells what a day usually brings, and how many there must be. */
const WEEKS = 8;
const WEEKS_MIN = 3;
/** Days of history that the first of the days to tell needs. */
export const DAYS_BEFORE = 7 * WEEKS;

/** Amounts between which most days are. */
export interface Expected {
  low: number;
  high: number;
}

/**
 * Returns what a day would usually bring: between the second lowest and the second highest of the same weekday in the
 * weeks before it, widened by what chance alone does to such amounts.
 * @param received amounts of each day
 * @param at the day among them
 * @param age days of the form by then
 * @returns null without some weeks of history
 */
export function expectedOn(received: readonly number[], at: number, age: number): Expected | null {
  const weeks = Math.min(WEEKS, Math.floor(age / 7));
  if (weeks < WEEKS_MIN) return null;
  const same = Array.from({ length: weeks }, (_, week) => received[at - 7 * (week + 1)] ?? 0);
  same.sort((one, other) => one - other);
  const low = same[1] ?? 0;
  const high = same.at(-2) ?? 0;
  return {
    low: Math.max(Math.floor(low - Math.sqrt(low)), 0),
    high: Math.ceil(high + Math.sqrt(high)),
  };
}
