import { YEAR_HOURS } from './hours.js';
import { FALSE_IN_TWO_YEARS, LIMITS, type Limit } from './levels.js';

/** Part of the silences that shows how the long ones fall off, and how many at least and at most. */
const TAIL_PART = 0.1;
const TAIL_MIN = 8;
const TAIL_MAX = 60;
/** How many silences of a form that receives by chance alone count beside its own: with few of its own they decide. */
const PRIOR = 10;
/** First silences that are left out, since the rhythm was not known. */
const FIRST_MAX = 5;
/** How far the longest silence of the last year is exceeded before it is told, and how far that can raise a limit. */
const BEYOND_LONGEST = 1.15;
const LONGEST_MAX = 3;
/** How much higher limits are with a single silence to learn from; twice as many, half as much. */
const UNSURE = 4;

/** A silence that ended: when, and how much it said. */
export interface Silence {
  end: number;
  hours: number;
  weight: number;
}

/**
 * Returns how much silence is improbable, for each limit. Silences of a form that receives by chance alone fall off as an
 * exponential with mean 1; its longest ones show how this form's do (peaks over a threshold, as in extreme value theory).
 * @param silences of up to two years, oldest first
 */
export function limitsOf(silences: readonly Silence[]): Record<Limit, number> {
  const known = silences.slice(Math.min(FIRST_MAX, Math.floor(silences.length / 4)));
  const [first, last] = [known[0], known.at(-1)];
  const span = first && last ? last.end - (first.end - first.hours) : 1;
  const falling = known.map(({ weight }) => weight).sort((one, other) => other - one);
  const tail = Math.min(Math.max(Math.floor(falling.length * TAIL_PART), TAIL_MIN), TAIL_MAX);
  const amount = Math.max(Math.min(tail, falling.length - 1), 0);
  const threshold = falling[amount] ?? 0;
  const beyond = falling.slice(0, amount).reduce((sum, weight) => sum + weight - threshold, 0);
  const mean = (PRIOR + beyond) / (PRIOR + amount);
  const inTwoYears = (amount * 2 * YEAR_HOURS) / Math.max(span, 1);
  const longest = known
    .filter(({ end }) => end > (last?.end ?? 0) - YEAR_HOURS)
    .reduce((most, { weight }) => Math.max(most, weight), 0);
  const unsure = 1 + UNSURE / Math.max(falling.length, 1);
  const limitOf = (limit: Limit) => {
    const rare = Math.max(inTwoYears / FALSE_IN_TWO_YEARS[limit], 1.5);
    const improbable = threshold + mean * Math.log(rare);
    const isTold = FALSE_IN_TWO_YEARS[limit] < 1;
    const exceeded = (isTold ? BEYOND_LONGEST : 1) * longest;
    const known = limit === 'suspicion' ? 0 : Math.min(exceeded, LONGEST_MAX * improbable);
    return Math.max(improbable, known) * unsure;
  };
  return Object.fromEntries(LIMITS.map((limit) => [limit, limitOf(limit)])) as Record<
    Limit,
    number
  >;
}
