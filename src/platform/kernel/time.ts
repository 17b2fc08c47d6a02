import { parseMoment } from './time/moment.js';

/** Tells the time wherever a delay of minutes or more is decided, so that tests can set it. */
export class Clock {
  now(): Date {
    return new Date();
  }
}

/** Spans of time in milliseconds. Days are spans too, not days of a calendar. */
export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Returns how long ago a moment was, in milliseconds. */
export function ageAt(now: Date, moment: Date) {
  return now.getTime() - moment.getTime();
}

/** Before 1900 clocks go by UTC here: years below 100 are read as others, and nothing is as old. */
const CLOCKS_BEGIN = Date.UTC(1900, 0);

/** By the name of the zone. Making one takes a hundred times as long as using it. */
const clocks = new Map<string, Intl.DateTimeFormat>();

/** Reads a day, such as `2030-01-31`; null for anything else. */
export function parseDay(value: unknown): string | null {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return null;
  return parseMoment(value) === null ? null : value;
}

/**
 * Returns the moment at which a day begins somewhere.
 * @param day such as `2030-01-31`
 * @param timeZone IANA name
 * @returns null for what is no day
 */
export function startOfDay(day: string, timeZone: string): Date | null {
  return parseDay(day) === null ? null : hourOfDay(day, 0, timeZone);
}

/** Returns the moment at which the clocks somewhere show an hour of a day. */
export function hourOfDay(day: string, hour: number, timeZone: string): Date {
  return shownAt(Date.parse(`${day}T00:00:00Z`) + hour * HOUR_MS, timeZone);
}

/**
 * Returns the moment at which the clocks somewhere show a day and a minute; one of the two where they show it twice.
 * @param local such as `2030-01-31T18:00`, as browsers send it
 * @returns null for anything else
 */
export function minuteOf(local: string, timeZone: string): Date | null {
  const utc = /^[\dT:-]{16}$/.test(local) ? parseMoment(`${local}:00Z`) : null;
  return utc === null ? null : shownAt(Date.parse(utc), timeZone);
}

/** Returns the day and the minute that clocks somewhere show at a moment: `2030-01-31T18:00`. */
export function minuteAt(time: Date, timeZone: string) {
  return new Date(time.getTime() + offsetAt(time.getTime(), timeZone)).toISOString().slice(0, 16);
}

/** Returns a moment as ISO 8601 with the offset of clocks somewhere: `2030-01-31T18:00:00.000+01:00`, with `Z` in UTC. */
export function isoAt(time: Date, timeZone: string) {
  if (timeZone === 'UTC') return time.toISOString();
  // Some offsets of before 1972 have seconds, which ISO 8601 does not know.
  const minutes = Math.round(offsetAt(time.getTime(), timeZone) / MINUTE_MS);
  const shown = new Date(time.getTime() + minutes * MINUTE_MS).toISOString().slice(0, -1);
  const [hour, minute] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${shown}${minutes < 0 ? '-' : '+'}${twoDigits(hour)}:${twoDigits(minute)}`;
}

function twoDigits(number: number) {
  return String(number).padStart(2, '0');
}

/** Returns the moment at which clocks somewhere show what those in UTC show at another. */
export function shownAt(utc: number, timeZone: string): Date {
  // Twice, since the offset at that hour in UTC may be that of the other side of a change of clocks.
  const near = utc - offsetAt(utc, timeZone);
  return new Date(utc - offsetAt(near, timeZone));
}

/** Returns the day that it is somewhere at a moment. */
export function dayAt(time: Date, timeZone: string) {
  return new Date(time.getTime() + offsetAt(time.getTime(), timeZone)).toISOString().slice(0, 10);
}

/** Returns the day that is so many days later; earlier when they are negative. */
export function addDays(day: string, days: number) {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Returns how many days lie between the begins of two days. */
export function daysBetween(from: string, to: string) {
  return (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS;
}

/** Returns by how many milliseconds the clocks of a zone are ahead of UTC at a moment. */
function offsetAt(time: number, timeZone: string) {
  if (time < CLOCKS_BEGIN) return 0;
  // Such as `1/31/2030, 08:05:00`: asked for in parts, it takes four times as long.
  const shown = clockOf(timeZone).format(time).match(/\d+/g)?.map(Number) ?? [];
  const [month = 1, day, year = 0, hour, minute, second] = shown;
  const there = Date.UTC(year, month - 1, day, hour, minute, second);
  return there - Math.floor(time / 1000) * 1000;
}

function clockOf(timeZone: string) {
  const known = clocks.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  clocks.set(timeZone, made);
  return made;
}

/**
 * Reads the name of a time zone, such as `Europe/Berlin` or `UTC`.
 * @returns the name as the standard spells it, or null
 */
export function parseTimeZone(value: unknown): string | null {
  if (typeof value !== 'string' || !/^[A-Za-z][\w+/-]{1,63}$/.test(value)) return null;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone;
  } catch {
    return null; // no such zone
  }
}
