import { HOUR_MS } from '../../platform/index.js';

/** Hours of a day, a week and a year of whole weeks. Hours are numbers: whole hours from 1970 on, in UTC. */
export const DAY_HOURS = 24;
export const WEEK_HOURS = 7 * DAY_HOURS;
export const YEAR_HOURS = 52 * WEEK_HOURS;

/** Part of what silence says on other days, between Christmas and the first of January. */
const CALM = 0.05;

/** Returns the hour that a moment is in. */
export function hourOf(at: Date) {
  return Math.floor(at.getTime() / HOUR_MS);
}

/** Returns the begin of an hour. */
export function momentOf(hour: number): Date {
  return new Date(hour * HOUR_MS);
}

/** Returns how much the silence of an hour says, from 0 to 1: little on the days from 24 December to 1 January. */
function calmAt(hour: number): number {
  const date = momentOf(hour);
  const month = date.getUTCMonth();
  const day = date.getUTCDate();
  return (month === 11 && day >= 24) || (month === 0 && day === 1) ? CALM : 1;
}

/** How soon the silence of a form is told, from never to soon. */
export const WATCH_LEVELS = ['off', 'quiet', 'normal', 'strict'] as const;
export type WatchLevel = (typeof WATCH_LEVELS)[number];
export type LoudLevel = Exclude<WatchLevel, 'off'>;

/** Silences that are told, and another that is not: long enough to have a look at the page. */
export type Limit = LoudLevel | 'suspicion';
const LIMITS: readonly Limit[] = ['quiet', 'normal', 'strict', 'suspicion'];

/** Silences of a healthy form that may be longer than the limit, in two years. */
const FALSE_IN_TWO_YEARS: Readonly<Record<Limit, number>> = { quiet: 0.1, normal: 0.7, strict: 4, suspicion: 12 };

/** Shortest silence that is told, in hours: nobody looks after a form for less. */
const SILENT_HOURS_MIN: Readonly<Record<Limit, number>> = { quiet: 6, normal: 3, strict: 2, suspicion: 2 };

/** Hours with submissions over which what was before loses half of its weight, and the bounds of that time, in hours. */
const HALVED_OVER = 40;
const HALF_LIFE_MIN = 4 * WEEK_HOURS;
const HALF_LIFE_MAX = YEAR_HOURS;
/** Weeks that the profile of days and hours counts beside what an hour of the week had itself. */
const PROFILE_WEEKS = 3;
/** Highest probability that something comes in an hour. */
const CERTAIN = 0.97;
/** Silence after which a form may live otherwise: what was before keeps a quarter of its weight. */
const TURNING = 8;
const AFTER_TURNING = 0.25;
/** Around a moment a year ago it is counted how much came: as long as five submissions take, in hours. */
const SEASON_EVENTS = 5;
const SEASON_MIN = 4 * DAY_HOURS;
const SEASON_MAX = 4 * WEEK_HOURS;
/** Days ahead for which the season is reckoned. */
const SEASON_DAYS = 120;
/** History from which a rhythm can be learnt: hours with submissions, and hours between the first and the last. */
const ACTIVE_HOURS_MIN = 10;
const LEARNING_HOURS = 3 * WEEK_HOURS;

/**
 * Learns the rhythm of a form by going through the hours in which something came, however much: so bursts count once.
 * Each silence is measured by what was known before it. What is old fades, the faster the more a form receives.
 */
export class RhythmLearner {
  private readonly active: number[] = [];
  private readonly silences: Silence[] = [];
  private readonly byHour = new Float64Array(WEEK_HOURS);
  private readonly byWeekday = new Float64Array(7);
  private readonly byTime = new Float64Array(DAY_HOURS);
  /** Hours in which something came, and weeks gone through, both faded. */
  private sum = 0;
  private weeks = 0;
  private reached: number;
  private known: Float64Array | null = null;
  private knownAt = 0;

  /** @param begin the hour in which the history begins */
  constructor(begin: number) {
    this.reached = begin;
  }

  /** Tells whether there is enough history for a rhythm. */
  get isReady() {
    const [first = 0] = this.active;
    return this.active.length >= ACTIVE_HOURS_MIN && (this.last ?? 0) - first >= LEARNING_HOURS;
  }

  get last(): number | null {
    return this.active.at(-1) ?? null;
  }

  /** Takes in an hour in which something came, later than those before. */
  receive(hour: number) {
    const { last } = this;
    if (last !== null) {
      const weight = this.silenceUntil(hour);
      this.silences.push({ end: hour, hours: hour - last, weight });
      if (weight > TURNING) this.fade(AFTER_TURNING);
    }
    this.active.push(hour);
    const halfLife = this.halfLife();
    const kept = 2 ** (-(hour + 1 - this.reached) / halfLife);
    this.fade(kept);
    this.weeks += ((halfLife / Math.LN2) * (1 - kept)) / WEEK_HOURS;
    this.sum += 1;
    add(this.byHour, hour % WEEK_HOURS);
    add(this.byWeekday, Math.floor((hour % WEEK_HOURS) / DAY_HOURS));
    add(this.byTime, hour % DAY_HOURS);
    this.reached = hour + 1;
  }

  /** Returns what was learnt; null without enough history. */
  learn(): Rhythm | null {
    const { last } = this;
    if (last === null || !this.isReady) return null;
    this.known = null;
    const seasons = Array.from({ length: SEASON_DAYS }, (_, day) => rounded(this.seasonAt(last + 1 + day * DAY_HOURS)));
    return {
      learntTo: last,
      weights: Array.from(this.weights(), rounded),
      seasons: seasons.some((season) => season < 1) ? seasons : [],
      limits: limitsOf(this.silences.filter(({ end }) => end > last - 2 * YEAR_HOURS)),
    };
  }

  private silenceUntil(hour: number) {
    const from = (this.last ?? 0) + 1;
    if (hour <= from) return 0;
    const weights = this.weights();
    let weight = 0;
    let season = 1;
    for (let at = from; at < hour; at++) {
      if ((at - from) % DAY_HOURS === 0) season = this.seasonAt(at);
      weight += (weights[at % WEEK_HOURS] ?? 0) * season * calmAt(at);
    }
    return weight;
  }

  /** Returns how much the silence of each hour of the week says, as it was known on that day. */
  private weights() {
    if (this.known && this.reached - this.knownAt < DAY_HOURS) return this.known;
    this.knownAt = this.reached;
    const { sum, byWeekday, byTime, byHour } = this;
    const weeks = Math.max(this.weeks, 1);
    const profile = new Float64Array(WEEK_HOURS);
    for (let hour = 0; hour < WEEK_HOURS; hour++) {
      // Beside what came, one and a half days of each weekday, and half an hour of each time: nothing is impossible.
      const weekday = ((byWeekday[Math.floor(hour / DAY_HOURS)] ?? 0) + 2) / (sum + 14);
      profile[hour] = (weekday * (smooth(byTime, hour % DAY_HOURS, 0.5) + 0.5)) / (sum + 12);
    }
    const all = profile.reduce((total, each) => total + each, 0);
    this.known = profile.map((part, hour) => {
      const rate = Math.min(((sum / weeks) * part) / all, 1);
      const own = smooth(byHour, hour, 0.6);
      const active = (own + PROFILE_WEEKS * rate) / (weeks + PROFILE_WEEKS + 0.5);
      return -Math.log(1 - Math.min(active, CERTAIN));
    });
    return this.known;
  }

  /** Returns what an hour was like a year ago, as a part of what the last one was like, up to 1. */
  private seasonAt(hour: number) {
    const [first = 0] = this.active;
    const before = hour - YEAR_HOURS;
    if (before - 2 * WEEK_HOURS < first) return 1;
    const perHour = this.sum / Math.max(this.weeks, 1) / WEEK_HOURS;
    const half = Math.min(Math.max(SEASON_EVENTS / perHour, SEASON_MIN), SEASON_MAX);
    const then = this.countAround(before, half);
    return Math.min((then + 1) / (this.countAround((this.last ?? 0) - YEAR_HOURS, half) + 1), 1);
  }

  private countAround(hour: number, half: number) {
    return indexIn(this.active, hour + half) - indexIn(this.active, hour - half);
  }

  private halfLife() {
    const from = this.active.at(-HALVED_OVER) ?? this.active[0] ?? 0;
    return Math.min(Math.max((this.last ?? 0) - from, HALF_LIFE_MIN), HALF_LIFE_MAX);
  }

  private fade(kept: number) {
    for (const amounts of [this.byHour, this.byWeekday, this.byTime]) {
      for (let at = 0; at < amounts.length; at++) amounts[at] = (amounts[at] ?? 0) * kept;
    }
    this.sum *= kept;
    this.weeks *= kept;
  }
}

function add(amounts: Float64Array, at: number) {
  amounts[at] = (amounts[at] ?? 0) + 1;
}

/** Returns an amount with a share of its neighbours'. @param own the part that stays, of 1 */
function smooth(amounts: Float64Array, at: number, own: number) {
  const { length } = amounts;
  const beside = (amounts[(at + 1) % length] ?? 0) + (amounts[(at + length - 1) % length] ?? 0);
  return own * (amounts[at] ?? 0) + ((1 - own) / 2) * beside;
}

/** Returns how many numbers of a rising row are less. */
function indexIn(row: readonly number[], number: number) {
  let [from, to] = [0, row.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((row[middle] ?? 0) < number) from = middle + 1;
    else to = middle;
  }
  return from;
}

function rounded(number: number) {
  return Math.round(number * 10_000) / 10_000;
}

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
interface Silence {
  end: number;
  hours: number;
  weight: number;
}

/**
 * Returns how much silence is improbable, for each limit. Silences of a form that receives by chance alone fall off as an
 * exponential with mean 1; its longest ones show how this form's do (peaks over a threshold, as in extreme value theory).
 * @param silences of up to two years, oldest first
 */
function limitsOf(silences: readonly Silence[]) {
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
  return Object.fromEntries(LIMITS.map((limit) => [limit, limitOf(limit)])) as Record<Limit, number>;
}

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
function dayOf({ learntTo, seasons }: Rhythm, hour: number) {
  const day = Math.floor((hour - learntTo - 1) / DAY_HOURS);
  const season = seasons[Math.min(Math.max(day, 0), seasons.length - 1)] ?? 1;
  return season * calmAt(hour);
}
