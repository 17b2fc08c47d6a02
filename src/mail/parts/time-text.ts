/** Returns a moment as people read it: `22 November 2026, 04:36 UTC`. */
export function timeText(at: Date): string {
  return `${dayText(at)}, ${at.toISOString().slice(11, 16)} UTC`;
}

/** Returns a day as people read it: `22 November 2026`. */
export function dayText(at: Date): string {
  return at.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
}

/** Writes the moments in a text, which are in ISO 8601, as people read them. */
export function withTimes(text: string): string {
  return text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (moment) => timeText(new Date(moment)));
}
