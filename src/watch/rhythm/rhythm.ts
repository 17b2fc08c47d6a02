import { calmAt, DAY_HOURS, WEEK_HOURS, YEAR_HOURS } from './hours.js';
import { SILENT_HOURS_MIN, type Limit } from './levels.js';

/** Longest silence that is reckoned, in hours. */
const SILENT_HOURS_MAX = 2 * YEAR_HOURS;

/** How a form lives, learnt from what it received; it is stored as JSON. */
export interface Rhythm {
  /** The last hour in which something came that it was learnt from. */
  learntTo: number;
  /**
   * How much the silence of each hour of the week says, from the first hour of a Thursday in UTC, as 1970 began on one: the
   * negative logarithm of the probability that nothing comes.
   */
  weights: readonly number[];
  /** Part of the usual that a day received a year ago, for each day after `learntTo`; empty without that history. */
  seasons: readonly number[];
  /** Sums of weights that silence must exceed. */
  limits: Readonly<Record<Limit, number>>;
}

/**
 * Returns the hour at whose begin the silence after a last submission has become improbable.
 * @param last the hour of that submission
 * @returns null when it never does
 */
export function silentFrom(rhythm: Rhythm, last: number, limit: Limit): number | null {
  const most = rhythm.limits[limit];
  const earliest = last + SILENT_HOURS_MIN[limit] + 1;
  const { weights } = rhythm;
  let sum = 0;
  let ofDay = dayOf(rhythm, last + 1);
  for (let hour = last + 1; hour <= last + SILENT_HOURS_MAX; hour++) {
    if (hour % DAY_HOURS === 0) ofDay = dayOf(rhythm, hour);
    sum += (weights[hour % WEEK_HOURS] ?? 0) * ofDay;
    if (sum > most) return Math.max(hour + 1, earliest);
  }
  return null;
}

/** Returns how much the silence of a day says, as a part of the usual. */
function dayOf({ learntTo, seasons }: Rhythm, hour: number): number {
  const day = Math.floor((hour - learntTo - 1) / DAY_HOURS);
  const season = seasons[Math.min(Math.max(day, 0), seasons.length - 1)] ?? 1;
  return season * calmAt(hour);
}
