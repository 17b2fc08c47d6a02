import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/kernel/time/durations.js';

/** The time zone of the signed-in person, an IANA name; set by `<Shell>`. */
export const TimeZone = createContext('UTC');

const STYLES = {
  short: { dateStyle: 'medium', timeStyle: 'short' },
  full: { dateStyle: 'full', timeStyle: 'long' },
  weekday: { weekday: 'short' },
  day: { day: 'numeric', month: 'short' },
  date: { dateStyle: 'medium' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** From this age on a day has a date and no weekday, in milliseconds. */
const WEEK_MS = 6 * DAY_MS;
/** From this age on a date has a year, in milliseconds. */
const YEAR_MS = 300 * DAY_MS;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Shows a moment in the person's zone; its exact time, with the zone, is in the title. */
export function Time({ at }: { at: Date }) {
  const zone = useContext(TimeZone);
  return (
    <time datetime={at.toISOString()} title={format(zone, 'full', at)}>
      {format(zone, 'short', at)}
    </time>
  );
}

/** Shows how old something is, as people say it: "5 min", "2 h", "Tue", "24 Nov"; its exact time is in the title. */
export function Age({ at }: { at: Date }) {
  const zone = useContext(TimeZone);
  return (
    <time datetime={at.toISOString()} title={format(zone, 'full', at)}>
      {ageOf(at, new Date(), zone)}
    </time>
  );
}

/** Returns how old something is, as people say it. */
function ageOf(at: Date, now: Date, timeZone: string): string {
  const age = now.getTime() - at.getTime();
  if (age < MINUTE_MS) return 'now';
  if (age < HOUR_MS) return `${Math.floor(age / MINUTE_MS)} min`;
  if (age < DAY_MS) return `${Math.floor(age / HOUR_MS)} h`;
  return format(timeZone, age < WEEK_MS ? 'weekday' : age < YEAR_MS ? 'day' : 'date', at);
}

/** Formats a moment. Formatters are kept, since making one takes longer than rendering a page. */
function format(timeZone: string, style: keyof typeof STYLES, at: Date): string {
  const key = `${style} ${timeZone}`;
  let known = formats.get(key);
  if (!known) {
    known = new Intl.DateTimeFormat('en-GB', { timeZone, ...STYLES[style] });
    formats.set(key, known);
  }
  return known.format(at);
}
