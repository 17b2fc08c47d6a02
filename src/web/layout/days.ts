/**
 * Returns the moment at which a day begins somewhere.
 * @param day such as `2030-01-31`
 * @param timeZone IANA name
 * @returns null for what is no day
 */
export function startOfDay(day: string, timeZone: string): Date | null {
  const utc = Date.parse(`${day}T00:00:00Z`);
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(utc)) return null;
  // Twice, since the offset at midnight in UTC may be that of the other side of a change of clocks.
  const near = utc - offsetAt(utc, timeZone);
  return new Date(utc - offsetAt(near, timeZone));
}

/** Returns by how many milliseconds the clocks of a zone are ahead of UTC at a moment. */
function offsetAt(time: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(time);
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value ?? 0);
  const there = Date.UTC(
    of('year'),
    of('month') - 1,
    of('day'),
    of('hour'),
    of('minute'),
    of('second'),
  );
  return there - Math.floor(time / 1000) * 1000;
}
