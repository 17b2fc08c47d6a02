/** A moment that an export names. */
export interface Moment {
  /** Milliseconds since 1970, in UTC. */
  ms: number;
  /** Part of the millisecond, in 4096ths, which keeps the order; null when the text is not that exact. */
  part: number | null;
}

const ISO =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ]+(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?\s*(Z|UTC|GMT|[+-]\d\d:?\d\d)?$/i;
const SLASHED =
  /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})(?:,?\s+(\d{1,2}):(\d\d)(?::(\d\d))?\s*(AM|PM)?)?$/i;
/** Seconds or milliseconds since 1970. */
const UNIX = /^\d{10}(?:\d{3})?$/;
const HAS_ZONE = /(?:\b(?:Z|UTC|GMT|[A-Z]{3,4})|[+-]\d\d:?\d\d)(?:\s*\([^)]*\))?$/;
const HAS_MONTH = /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b/i;
const MINUTE_MS = 60_000;
/** Nanoseconds of a millisecond. */
const MS_NS = 1_000_000;
const PARTS = 4_096;

/**
 * Reads a moment as exports write it; without a zone it is in UTC.
 * @returns null for what is none, or can be read in two ways
 */
export function readMoment(given: string): Moment | null {
  const text = given.trim();
  const iso = ISO.exec(text);
  if (iso) return ofIso(iso);
  const slashed = SLASHED.exec(text);
  if (slashed) return ofSlashed(slashed);
  if (UNIX.test(text)) return { ms: Number(text) * (text.length === 10 ? 1000 : 1), part: null };
  if (text.length > 64 || !HAS_MONTH.test(text) || !/\d{4}/.test(text)) return null;
  const ms = Date.parse(HAS_ZONE.test(text) ? text : `${text} UTC`);
  return Number.isNaN(ms) ? null : { ms, part: null };
}

function ofIso(found: RegExpExecArray): Moment | null {
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone] = found;
  const ms = utcOf(year, month, day, hour, minute, second);
  if (ms === null) return null;
  const ns = Number(fraction.padEnd(9, '0'));
  return {
    ms: ms + Math.floor(ns / MS_NS) - offsetOf(zone),
    part: fraction.length > 3 ? Math.floor(((ns % MS_NS) * PARTS) / MS_NS) : null,
  };
}

/** Reads days and months in either order, where only one of the two makes a date. */
function ofSlashed(found: RegExpExecArray): Moment | null {
  const [, one = '', other = '', year, hour = '0', minute = '0', second = '0', half] = found;
  if (Number(one) <= 12 && Number(other) <= 12 && one !== other) return null;
  const [day, month] = Number(one) > 12 ? [one, other] : [other, one];
  const noon = half?.toUpperCase() === 'PM' ? 12 : 0;
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + noon;
  const ms = utcOf(year, month, day, String(hours), minute, second);
  return ms === null ? null : { ms, part: null };
}

/** Returns milliseconds; null where no calendar has that day or no clock that time. */
function utcOf(...texts: (string | undefined)[]): number | null {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = texts.map(Number);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal && hour < 24 && minute < 60 && second < 60 ? date.getTime() : null;
}

function offsetOf(zone = 'Z'): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? [];
  if (sign === undefined) return 0;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
}
