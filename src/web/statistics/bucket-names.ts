import type { Step } from '../../statistics/span.js';
import { statisticsWords } from './words.js';

const FULL = {
  hour: { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' },
  day: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  week: { day: 'numeric', month: 'short', year: 'numeric' },
  month: { month: 'long', year: 'numeric' },
} as const;
const SHORT = {
  hour: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  day: { day: 'numeric', month: 'short' },
  week: { day: 'numeric', month: 'short' },
  month: { month: 'short', year: 'numeric' },
} as const;

type Style = (typeof FULL)[Step] | (typeof SHORT)[Step];

/** By how it is shown, and the zone. */
const formats = new Map<Style, Map<string, Intl.DateTimeFormat>>();

/** Returns what a bucket is called in a table and in a sentence, such as `Tue, 3 Feb 2026`. */
export function nameOf(start: Date, by: Step, timeZone: string): string {
  if (by === 'week') return statisticsWords.weekFrom(dayName(start, timeZone));
  return format(start, FULL[by], timeZone);
}

/** Returns a day, such as `3 Feb 2026`. */
export function dayName(at: Date, timeZone: string): string {
  return format(at, FULL.week, timeZone);
}

/** Returns what it is called below a chart, such as `3 Feb`. */
export function shortNameOf(start: Date, by: Step, timeZone: string): string {
  return format(start, SHORT[by], timeZone);
}

/** Formats a moment. Formatters are kept, since making one takes longer than rendering a page. */
function format(at: Date, style: Style, timeZone: string): string {
  const ofStyle = formats.get(style) ?? new Map<string, Intl.DateTimeFormat>();
  formats.set(style, ofStyle);
  const known = ofStyle.get(timeZone) ?? new Intl.DateTimeFormat('en-GB', { ...style, timeZone });
  ofStyle.set(timeZone, known);
  return known.format(at);
}
