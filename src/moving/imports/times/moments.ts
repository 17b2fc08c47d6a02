import { LRUCache } from 'lru-cache';
import { MINUTE_MS, parseTimeZone, shownAt } from '../../../platform/index.js';
import type { DayOrder } from '../model/import-options.js';

/** Returns the moment at which clocks of a zone show what those in UTC show at another, in milliseconds. */
export type Zone = (shown: number) => number;

/** Minutes that clocks are ahead of UTC, by the short name of their zone. Of names with several meanings the usual one counts. */
const OFFSETS: Record<string, number> = {
  ...{ z: 0, 'z[utc]': 0, utc: 0, gmt: 0, ut: 0, wet: 0, west: 60, bst: 60 },
  ...{ cet: 60, cest: 120, met: 60, mest: 120, mez: 60, mesz: 120, eet: 120, eest: 180, msk: 180 },
  ...{ nst: -210, ndt: -150, ast: -240, adt: -180, est: -300, edt: -240, cst: -360, cdt: -300 },
  ...{ mst: -420, mdt: -360, pst: -480, pdt: -420, akst: -540, akdt: -480, hst: -600 },
  ...{ sast: 120, sgt: 480, hkt: 480, jst: 540, kst: 540 },
  ...{ awst: 480, acst: 570, acdt: 630, aest: 600, aedt: 660, nzst: 720, nzdt: 780 },
};
const OFFSET =
  /^(?:gmt|utc|ut)? ?([+\-\u2212])(\d{1,2})(?::?(\d\d))?(?: ?(?:\[[\w+/-]{1,64}\]|\([^()]{0,64}\)| [a-z]{2,5}))?$/;
const NAMED = /^(?:\((.{1,64})\)|\[(.{1,64})\])$/;
/** Longest name of a zone with its brackets, in characters. */
const BRACKETS_MAX = 66;
/** No clocks are further ahead of UTC, or behind it, in minutes. */
const OFFSET_MAX = 14 * 60;
/** Zones by their IANA names; a file has few, and to look one up takes long. */
const places = new LRUCache<string, { zone: Zone | null }>({
  max: 100,
  memoMethod: (name) => {
    const timeZone = parseTimeZone(name);
    return { zone: timeZone === null ? null : (shown) => shownAt(shown, timeZone).getTime() };
  },
});

export const UTC: Zone = (shown) => shown;

/**
 * Reads a zone as it stands behind a time: `+02:00`, `GMT+2`, `CEST`, `Europe/Berlin`, `(UTC)`.
 * @param text short, in small letters
 * @returns null for none that we know
 */
function readZone(text: string): Zone | null {
  const name = NAMED.exec(text);
  if (name) return readZone(name[1] ?? name[2] ?? '');
  const minutes = Object.hasOwn(OFFSETS, text) ? OFFSETS[text] : offsetOf(text);
  if (minutes !== undefined) return (shown) => shown - minutes * MINUTE_MS;
  return text.includes('/') ? places.memo(text).zone : null;
}

/** Returns the zone that the name of a column says in brackets, as in `Submit Date (UTC)`; UTC without one. */
export function zoneOfColumn(name: string): Zone {
  const begin = name.lastIndexOf('(');
  const text = name.slice(begin).trim().toLowerCase();
  const isShort = begin >= 0 && text.length <= BRACKETS_MAX;
  return (isShort ? readZone(text) : null) ?? UTC;
}

function offsetOf(text: string) {
  const [, sign, hours, minutes = '0'] = OFFSET.exec(text) ?? [];
  if (sign === undefined) return undefined;
  const offset = Number(hours) * 60 + Number(minutes);
  if (offset > OFFSET_MAX || Number(minutes) > 59) return undefined;
  return sign === '+' ? offset : -offset;
}

/** A moment that an export names. */
export interface Moment {
  /** Milliseconds since 1970, in UTC. */
  ms: number;
  /** Part of the millisecond, in 4096ths, which keeps the order; null when the text is not that exact. */
  part: number | null;
}

/** How times are read that do not say all of it. */
export interface TimeReading {
  /** Order of days and months; null reads no date that is another day in the other order. */
  order: DayOrder | null;
  /** The zone of times without one. */
  zone: Zone;
}

const PLAIN: TimeReading = { order: null, zone: UTC };

/** A time as a text has it, before it is known which day it means. */
interface WrittenTime {
  date: WrittenDate;
  /** Time of the day in milliseconds. */
  clock: number;
  part: number | null;
  /** Null where the text says none. */
  zone: Zone | null;
}

/** Longest text of a time, in characters. */
const TIME_CHARS = 80;
/** A time of UTC in ISO 8601. */
const STANDARD = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z$/;
/** Seconds or milliseconds since 1970. */
const UNIX = /^\d{10}(?:\d{3})?$/;
const WEEKDAY = /^(?:mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so)[a-z]{0,8}\.?,? /;
const CLOCK =
  /(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?: ?([ap])\.?m\.?(?![a-z]))?|(\d{1,2}) ?([ap])\.?m\.?(?![a-z])/;
/** Signs and words between a day and its time. */
const BETWEEN = /(?:[t,]| at| um| -| @)$/;
/** A year behind the time, as Unix writes it. */
const YEAR_BEHIND = /(?:^| )(\d{4})$/;
/** A day of digits with a zone. */
const DAY_WITH_ZONE = /^([\d/.-]{6,10}) ?(\D.*)$/;
/** A day of digits with its year last. */
const DIGITS_ALONE = /\d[/-]\d{1,2}[/-]\d/;
/** Nanoseconds of a millisecond. */
const MS_NS = 1_000_000;
const PARTS = 4_096;

/**
 * Reads a moment as exports write it.
 * @returns null for what is none, or can be read in two ways
 */
export function readMoment(text: string, { order, zone }: TimeReading = PLAIN): Moment | null {
  const given = text.trim();
  if (UNIX.test(given)) return { ms: Number(given) * (given.length === 10 ? 1000 : 1), part: null };
  if (STANDARD.test(given)) return ofStandard(given);
  const time = readTime(given);
  if (!time || (time.date.isEither && order === null)) return null;
  const { year, month, day, isEither } = time.date;
  const [first, second] = isEither && order === 'day_first' ? [day, month] : [month, day];
  const shown = new Date(0).setUTCFullYear(year, first - 1, second) + time.clock;
  return { ms: (time.zone ?? zone)(shown), part: time.part };
}

/** Reads what most files have in a tenth of the time. */
function ofStandard(text: string): Moment | null {
  const ms = Date.parse(text);
  // A day that no calendar has would be one of the next month.
  const isReal = !Number.isNaN(ms) && new Date(ms).toISOString().slice(0, 19) === text.slice(0, 19);
  return isReal ? { ms, part: null } : null;
}

/** Returns what a text says of the order of days and months: one that it proves, or that it can be read in two ways. */
export function orderIn(text: string): DayOrder | 'either' | null {
  if (!DIGITS_ALONE.test(text)) return null;
  const date = readTime(text.trim())?.date;
  return date?.isEither === true ? 'either' : (date?.proves ?? null);
}

/** Tells whether a text is a time in the words of people: numbers alone are anything. */
export function looksLikeTime(text: string) {
  return readTime(text.trim()) !== null;
}

function readTime(given: string): WrittenTime | null {
  if (given.length > TIME_CHARS || !/\d/.test(given)) return null;
  const text = given
    .toLowerCase()
    .replace(/[\s\u202f]+/g, ' ')
    .replace(WEEKDAY, '');
  const found = CLOCK.exec(text);
  if (!found) return withoutClock(text);
  const before = text.slice(0, found.index).trimEnd().replace(BETWEEN, '').trimEnd();
  const behind = text
    .slice(found.index + found[0].length)
    .replace(/^ ?uhr\b/, '')
    .trim();
  const clock = clockOf(found);
  if (!clock) return null;
  const date = readDate(before === '' ? behind.replace(/^, ?/, '') : before);
  if (date) return withZone({ date, ...clock }, before === '' ? '' : behind);
  const [year = '', digits = ''] = YEAR_BEHIND.exec(behind) ?? [];
  const other = year === '' ? null : readDate(`${before} ${digits}`);
  return other && withZone({ date: other, ...clock }, behind.slice(0, -year.length));
}

/** Reads a day that may have a zone. */
function withoutClock(text: string): WrittenTime | null {
  const none = { clock: 0, part: null };
  const date = readDate(text);
  if (date) return { date, ...none, zone: null };
  const [, day = '', zone = ''] = DAY_WITH_ZONE.exec(text) ?? [];
  const zoned = zone === '' ? null : readDate(day);
  return zoned && withZone({ date: zoned, ...none }, zone);
}

/** @returns null for a zone that we do not know */
function withZone(time: Omit<WrittenTime, 'zone'>, text: string): WrittenTime | null {
  if (text === '') return { ...time, zone: null };
  const zone = readZone(text);
  return zone && { ...time, zone };
}

/** Returns a time of the day; null where no clock shows it. */
function clockOf(found: RegExpExecArray): Pick<WrittenTime, 'clock' | 'part'> | null {
  const [, hours, minute = '0', second = '0', fraction = '', half, alone, halfAlone] = found;
  const hour = hourOf(Number(hours ?? alone), half ?? halfAlone);
  if (hour === null || Number(minute) > 59 || Number(second) > 59) return null;
  const ns = Number(fraction.padEnd(9, '0'));
  const seconds = (hour * 60 + Number(minute)) * 60 + Number(second);
  return {
    clock: seconds * 1000 + Math.floor(ns / MS_NS),
    part: fraction.length > 3 ? Math.floor(((ns % MS_NS) * PARTS) / MS_NS) : null,
  };
}

function hourOf(hour: number, half: string | undefined) {
  if (hour > 23) return null;
  if (half === undefined || (half === 'p' && hour > 12)) return hour;
  return hour > 12 ? null : (hour % 12) + (half === 'p' ? 12 : 0);
}

/** A day as a text names it. */
interface WrittenDate {
  year: number;
  /** From 1. */
  month: number;
  day: number;
  /** The order that the date proves; null where its text says nothing about that of others. */
  proves: DayOrder | null;
  /** Whether it is another day in the other order: this one has the month first. */
  isEither: boolean;
}

const YEAR_FIRST = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/;
const YEAR_LAST = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})$/;
/** Days with the name of their month. */
const WITH_NAME = [
  /^(?<day>\d{1,2})(?:st|nd|rd|th|\.)?[ -]?(?:of )?(?<name>[a-zä]{3,9})\.?,?[ -]?'?(?<year>\d{4}|\d{2})$/,
  /^(?<name>[a-zä]{3,9})\.?[ -]?(?<day>\d{1,2})(?:st|nd|rd|th)?,?[ -](?<year>\d{4})$/,
  /^(?<year>\d{4})[ -](?<name>[a-zä]{3,9})[ -](?<day>\d{1,2})$/,
];
/** Names of months, in English and German, each with its short ones. */
const MONTHS = [
  'jan january januar jänner',
  'feb february februar',
  'mar march mär märz mrz maerz',
  'apr april',
  'may mai',
  'jun june juni',
  'jul july juli',
  'aug august',
  'sep sept september',
  'oct october okt oktober',
  'nov november',
  'dec december dez dezember',
];
const MONTH_OF = new Map(MONTHS.flatMap((names, at) => names.split(' ').map((name) => [name, at + 1] as const)));
/** Years of two digits up to this one are of this century (POSIX: 68; spreadsheets: 29 and 49). */
const LATEST_SHORT_YEAR = 69;

/**
 * Reads a day without its time, such as `2023/05/17`, `17.5.23` or `May 17, 2023`.
 * @param text short, in small letters, with single blanks
 * @returns null for what is no day of a calendar
 */
function readDate(text: string): WrittenDate | null {
  const [, year, , month, day] = YEAR_FIRST.exec(text) ?? [];
  if (year !== undefined) return known(year, Number(month), day);
  for (const form of WITH_NAME) {
    const { year, name = '', day } = form.exec(text)?.groups ?? {};
    if (year !== undefined) return known(year, MONTH_OF.get(name), day);
  }
  const [, one, sign, other, last] = YEAR_LAST.exec(text) ?? [];
  if (one === undefined) return null;
  const dayFirst = known(last, Number(other), one);
  // No country writes the month first with dots.
  if (sign === '.') return dayFirst;
  const monthFirst = known(last, Number(one), other);
  if (!dayFirst || !monthFirst) {
    if (dayFirst) return { ...dayFirst, proves: 'day_first' };
    return monthFirst && { ...monthFirst, proves: 'month_first' };
  }
  return { ...monthFirst, isEither: Number(one) !== Number(other) };
}

/** Returns a day of which all is known; null where no calendar has it. */
function known(yearText = '', month = 0, dayText = ''): WrittenDate | null {
  const day = Number(dayText);
  const century = Number(yearText) <= LATEST_SHORT_YEAR ? 2000 : 1900;
  const year = Number(yearText) + (yearText.length === 2 ? century : 0);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal ? { year, month, day, proves: null, isEither: false } : null;
}

/** Gathers what the dates of a file say of the order of day and month. */
export class DayOrders {
  /** A date that proves each order; null where none does. */
  readonly proofs: Record<DayOrder, string | null> = { day_first: null, month_first: null };
  /** A date that can be read in two ways; null where none was seen. */
  either: string | null = null;

  /** @param chosen the order that somebody said; null for none */
  constructor(private readonly chosen: DayOrder | null) {}

  /** Returns the order that dates are read in which say none themselves; null where nothing proves one, or both. */
  get order(): DayOrder | null {
    const { day_first: day, month_first: month } = this.proofs;
    if (this.chosen !== null) return this.chosen;
    if (this.areBoth || (day === null && month === null)) return null;
    return day === null ? 'month_first' : 'day_first';
  }

  /** Tells whether dates prove both orders. */
  get areBoth() {
    return this.proofs.day_first !== null && this.proofs.month_first !== null;
  }

  /** Takes a time of the file into account. */
  see(time: string) {
    const order = orderIn(time);
    if (order === 'either') this.either ??= time;
    else if (order !== null) this.proofs[order] ??= time;
  }
}
