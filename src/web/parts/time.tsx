import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** The time zone of the signed-in person, an IANA name; set by `<Shell>`. */
export const TimeZone = createContext('UTC');

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

/** Formats a moment. Formatters are kept, since making one takes longer than rendering a page. */
function format(timeZone: string, style: 'short' | 'full', at: Date): string {
  const key = `${style} ${timeZone}`;
  let known = formats.get(key);
  if (!known) {
    known =
      style === 'short'
        ? new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'medium', timeStyle: 'short' })
        : new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'full', timeStyle: 'long' });
    formats.set(key, known);
  }
  return known.format(at);
}
