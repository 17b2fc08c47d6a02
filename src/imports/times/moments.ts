import type { DayOrder } from '../model/import-options.js';
import { readDate, swapped, type WrittenDate } from './written-dates.js';
import { readZone, UTC, type Zone } from './written-zones.js';

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
  const isSwapped = time.date.isEither && order === 'day_first';
  const { year, month, day } = isSwapped ? swapped(time.date) : time.date;
  const shown = new Date(0).setUTCFullYear(year, month - 1, day) + time.clock;
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
export function looksLikeTime(text: string): boolean {
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

function hourOf(hour: number, half: string | undefined): number | null {
  if (hour > 23) return null;
  if (half === undefined || (half === 'p' && hour > 12)) return hour;
  return hour > 12 ? null : (hour % 12) + (half === 'p' ? 12 : 0);
}
