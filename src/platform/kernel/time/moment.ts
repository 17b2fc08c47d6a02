import { isISO8601 } from 'class-validator';

/** A day, or a time with its offset from UTC, so that the server's time zone does not matter. */
const MOMENT = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/;
/** The last moment that every database can store. */
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Reads a moment, such as `2030-01-31T12:00:00Z` or `2030-01-31`, which is midnight in UTC.
 * @returns the moment as ISO 8601 in UTC, or null
 */
export function parseMoment(value: unknown): string | null {
  if (typeof value !== 'string' || !MOMENT.test(value)) return null;
  const time = Date.parse(value);
  return isISO8601(value, { strict: true }) && time <= LAST ? new Date(time).toISOString() : null;
}
