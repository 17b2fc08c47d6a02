/** Counters by the columns of the table. */
export const COUNTERS = {
  submissions: 'submissions',
  spam: 'spam',
  imported: 'imported',
  mailsDelivered: 'mails_delivered',
  mailsLate: 'mails_late',
  mailsFailed: 'mails_failed',
  callsDelivered: 'calls_delivered',
  callsLate: 'calls_late',
  callsFailed: 'calls_failed',
} as const;
export type Counter = keyof typeof COUNTERS;
export const COUNTER_NAMES = Object.keys(COUNTERS) as Counter[];

/** A number for each of them. */
export type Sums = Record<Counter, number>;
export const NOTHING: Sums = sumsOf(() => 0);

/** Returns what a function says of each. */
export function sumsOf(valueOf: (counter: Counter) => number): Sums {
  const sums = {} as Sums;
  for (const name of COUNTER_NAMES) sums[name] = valueOf(name);
  return sums;
}
