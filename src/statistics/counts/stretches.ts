/** Hours that one row counts: an hour, a day of UTC, and 32 days, so that a long span reads few rows. */
export const LENGTHS = [1, 24, 768] as const;

/** Rows of one length that begin from an hour on, until before another; with `hours`, those of these among them. */
export interface Stretch {
  length: number;
  from: number;
  to: number;
  hours?: readonly number[];
}

/** Returns the fewest rows that are the hours from one until before another, as stretches of one length each. */
export function stretchesOf(from: number, to: number, level = LENGTHS.length - 1): Stretch[] {
  const length = LENGTHS[level];
  if (length === undefined || from >= to) return [];
  const begin = Math.ceil(from / length) * length;
  const end = Math.floor(to / length) * length;
  if (begin >= end) return stretchesOf(from, to, level - 1);
  return [
    ...stretchesOf(from, begin, level - 1),
    { length, from: begin, to: end },
    ...stretchesOf(end, to, level - 1),
  ];
}

/** Returns the begin of the row of a length that counts an hour. */
export function beginOf(hour: number, length: number): number {
  return hour - (hour % length);
}
