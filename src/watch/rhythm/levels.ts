/** How soon the silence of a form is told, from never to soon. */
export const WATCH_LEVELS = ['off', 'quiet', 'normal', 'strict'] as const;
export type WatchLevel = (typeof WATCH_LEVELS)[number];
export type LoudLevel = Exclude<WatchLevel, 'off'>;

/** Silences that are told, and another that is not: long enough to have a look at the page. */
export type Limit = LoudLevel | 'suspicion';
export const LIMITS: readonly Limit[] = ['quiet', 'normal', 'strict', 'suspicion'];

/** Silences of a healthy form that may be longer than the limit, in two years. */
export const FALSE_IN_TWO_YEARS: Readonly<Record<Limit, number>> = {
  quiet: 0.1,
  normal: 0.7,
  strict: 4,
  suspicion: 12,
};

/** Shortest silence that is told, in hours: nobody looks after a form for less. */
export const SILENT_HOURS_MIN: Readonly<Record<Limit, number>> = {
  quiet: 6,
  normal: 3,
  strict: 2,
  suspicion: 2,
};
