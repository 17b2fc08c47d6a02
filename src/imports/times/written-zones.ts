import { minuteOf } from '../../platform/kernel/time/days.js';
import { MINUTE_MS } from '../../platform/kernel/time/durations.js';
import { parseTimeZone } from '../../platform/kernel/time/time-zone.js';

/** Returns the moment at which clocks of a zone show what those in UTC show at another, in milliseconds. */
export type Zone = (shown: number) => number;

/** Minutes that clocks are ahead of UTC, by the short name of their zone. Of names with several meanings the usual one counts. */
const OFFSETS: Record<string, number> = {
  ...{ z: 0, 'z[utc]': 0, utc: 0, gmt: 0, ut: 0, wet: 0, west: 60, bst: 60 },
  ...{ cet: 60, cest: 120, met: 60, mest: 120, mez: 60, mesz: 120, eet: 120, eest: 180, msk: 180 },
  ...{ nst: -210, ndt: -150, ast: -240, adt: -180, est: -300, edt: -240, cst: -360, cdt: -300 },
  ...{ mst: -420, mdt: -360, pst: -480, pdt: -420, akst: -540, akdt: -480, hst: -600 },
  ...{ sast: 120, sgt: 480, hkt: 480, jst: 540, kst: 540 },
  ...{ awst: 480, acst: 570, acdt: 630, aest: 600, aedt: 660, nzst: 720, nzdt: 780 },
};
const OFFSET =
  /^(?:gmt|utc|ut)? ?([+\-\u2212])(\d{1,2})(?::?(\d\d))?(?: ?(?:\[[\w+/-]{1,64}\]|\([^()]{0,64}\)| [a-z]{2,5}))?$/;
const NAMED = /^(?:\((.{1,64})\)|\[(.{1,64})\])$/;
/** Longest name of a zone with its brackets, in characters. */
const BRACKETS_MAX = 66;
/** No clocks are further ahead of UTC, or behind it, in minutes. */
const OFFSET_MAX = 14 * 60;
const SECOND_PART = 1_000 * 60;
/** IANA names that were read; a file has few. */
const zones = new Map<string, Zone | null>();
const ZONES_MAX = 100;

export const UTC: Zone = (shown) => shown;

/**
 * Reads a zone as it stands behind a time: `+02:00`, `GMT+2`, `CEST`, `Europe/Berlin`, `(UTC)`.
 * @param text short, in small letters
 * @returns null for none that we know
 */
export function readZone(text: string): Zone | null {
  const name = NAMED.exec(text);
  if (name) return readZone(name[1] ?? name[2] ?? '');
  const minutes = Object.hasOwn(OFFSETS, text) ? OFFSETS[text] : offsetOf(text);
  if (minutes !== undefined) return (shown) => shown - minutes * MINUTE_MS;
  return text.includes('/') ? placeOf(text) : null;
}

/** Returns the zone that the name of a column says in brackets, as in `Submit Date (UTC)`; UTC without one. */
export function zoneOfColumn(name: string): Zone {
  const begin = name.lastIndexOf('(');
  const text = name.slice(begin).trim().toLowerCase();
  const isShort = begin >= 0 && text.length <= BRACKETS_MAX;
  return (isShort ? readZone(text) : null) ?? UTC;
}

function offsetOf(text: string): number | undefined {
  const [, sign, hours, minutes = '0'] = OFFSET.exec(text) ?? [];
  if (sign === undefined) return undefined;
  const offset = Number(hours) * 60 + Number(minutes);
  if (offset > OFFSET_MAX || Number(minutes) > 59) return undefined;
  return sign === '+' ? offset : -offset;
}

/** Returns the zone of an IANA name. */
function placeOf(name: string): Zone | null {
  const known = zones.get(name);
  if (known !== undefined) return known;
  const timeZone = parseTimeZone(name);
  const zone: Zone | null =
    timeZone === null
      ? null
      : (shown) => {
          const minute = new Date(shown).toISOString().slice(0, 16);
          return (minuteOf(minute, timeZone)?.getTime() ?? shown) + (shown % SECOND_PART);
        };
  if (zones.size < ZONES_MAX) zones.set(name, zone);
  return zone;
}
