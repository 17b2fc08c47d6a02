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
