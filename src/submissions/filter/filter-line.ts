import {
  addDays,
  dayAt,
  parseDay,
  startOfDay,
  parseEmailAddress,
  parseUuid,
  parseMoment,
} from '../../platform/index.js';
import { parseCountry, parseOrigin, parsePage } from '../model/page-address.js';

/** States that `is:` asks for. */
const STATES = [
  'new',
  'unread',
  'starred',
  'answered',
  'failed',
  'done',
  'held',
  'waiting',
  'confirmed',
  'spam',
  'trash',
] as const;

export type FilterState = (typeof STATES)[number];

/** A parsed filter line; all its conditions hold at once. */
export interface FilterLine {
  /** Texts that occur in a value or in the name of a file, in any case of letters. */
  words: string[];
  /** Names or identifiers of forms; any of them. */
  forms: string[];
  is: FilterState[];
  tags: string[];
  /** Whom it is assigned to: `me`, `none`, or an address; all of them. */
  assigned: string[];
  /** Received at this time or later. */
  from: Date | null;
  /** Received before this time. */
  to: Date | null;
  hasFile: boolean;
  /** Ids of submissions; any of them. */
  ids: Buffer[];
  /** Fields with exactly this value. */
  values: { name: string; text: string }[];
  /** Email addresses that it was sent under, in any case of letters; all of them. */
  visitors: string[];
  /** Paths of pages, origins and countries (two letters) that it came from, all of them; empty for none that is known. */
  pages: string[];
  origins: string[];
  countries: string[];
  /** The parts that cannot be understood, as they were typed. */
  unclear: string[];
}

/** Most words of a line: each is looked for in every text. */
const WORDS_MAX = 50;
/** A part of the line: what no blank outside of quotes divides. */
const PART = /(?:"[^"]*"?|[^\s"])+/g;
/** A part that is `key:value`, either of them in quotes. */
const KEY_AND_VALUE = /^("[^"]*"|[^":]+):(.+)$/s;
/** Matches text before `//` or digits, which is not a field: `http://…`, `12:30`. */
const NO_KEY = /^\d*$/;
/** Matches a part that other searches leave out: `-word`, and neither `-5` nor a hyphen alone. */
const LEFT_OUT = /^-[\p{L}"]/u;

/**
 * Reads a line such as `form:contact is:unread from:2030-01-31 "second hand" email:jane@example.com`.
 * @param now what `today` and `7d` are counted from
 * @param timeZone whose days are meant, an IANA name
 */
export function parseFilterLine(line: string, now: Date, timeZone = 'UTC'): FilterLine {
  const found: FilterLine = {
    words: [],
    forms: [],
    is: [],
    tags: [],
    assigned: [],
    from: null,
    to: null,
    hasFile: false,
    ids: [],
    values: [],
    visitors: [],
    pages: [],
    origins: [],
    countries: [],
    unclear: [],
  };
  const moment = (text: string) => momentOf(text, now, timeZone);
  for (const [part] of line.matchAll(PART)) {
    const { key, value } = divided(part);
    if (LEFT_OUT.test(part)) found.unclear.push(part);
    else if (key === null) {
      const isOneTooMany = found.words.length === WORDS_MAX;
      if (value !== '') (isOneTooMany ? found.unclear : found.words).push(value);
    } else if (!take(found, key, value, moment)) found.unclear.push(part);
  }
  return found;
}

/** @returns whether it was understood */
function take(found: FilterLine, key: string, value: string, moment: (text: string) => Date | null) {
  switch (key.toLowerCase()) {
    case 'form':
      return found.forms.push(value) > 0;
    case 'is': {
      const state = STATES.find((each) => each === value.toLowerCase());
      return state !== undefined && found.is.push(state) > 0;
    }
    case 'status':
    case 'tag':
      return found.tags.push(value.toLowerCase()) > 0;
    case 'assigned': {
      const isWord = value.toLowerCase() === 'me' || value.toLowerCase() === 'none';
      const who = isWord ? value.toLowerCase() : parseEmailAddress(value);
      return who !== null && found.assigned.push(who) > 0;
    }
    case 'from':
      return (found.from = moment(value)) !== null;
    case 'to':
      return (found.to = moment(value)) !== null;
    case 'email':
    case 'visitor': {
      const address = parseEmailAddress(value);
      return address !== null && found.visitors.push(address) > 0;
    }
    case 'page':
      return pushed(found.pages, parsePage(value));
    case 'origin':
      return pushed(found.origins, parseOrigin(value));
    case 'country':
      return pushed(found.countries, parseCountry(value));
    case 'id': {
      const ids = value.toLowerCase().split(',').map(parseUuid);
      const known = ids.filter((id) => id !== null);
      return known.length === ids.length && found.ids.push(...known) > 0;
    }
    case 'has':
      return (found.hasFile = value.toLowerCase() === 'file');
    default:
      return found.values.push({ name: unquoted(key), text: value }) > 0;
  }
}

/** @returns whether there is a value to add */
function pushed(found: string[], value: string | null) {
  return value !== null && found.push(value) > 0;
}

/** Returns when a day begins, such as `2030-01-31`, `today` or `7d`, or a time; null for anything else. */
function momentOf(text: string, now: Date, timeZone: string) {
  const days = text.toLowerCase() === 'today' ? '0' : /^(\d{1,4})d$/i.exec(text)?.[1];
  const day = days === undefined ? parseDay(text) : addDays(dayAt(now, timeZone), -Number(days));
  if (day !== null) return startOfDay(day, timeZone);
  const moment = parseMoment(text);
  return moment === null ? null : new Date(moment);
}

/** Divides a part into key and value; without a key it is a text. A key in quotes keeps them: it is that of a field. */
function divided(part: string): { key: string | null; value: string } {
  const [, key = '', value = ''] = KEY_AND_VALUE.exec(part) ?? [];
  const isText = NO_KEY.test(unquoted(key)) || value.startsWith('//');
  return isText ? { key: null, value: unquoted(part) } : { key, value: unquoted(value) };
}

function unquoted(text: string) {
  return text.startsWith('"') ? text.replace(/^"|"$/g, '') : text;
}

/** Returns a part of a line: quoted where it has blanks or would be read as something else. */
export function filterPart(key: string, value: string) {
  const plain = value.replaceAll('"', '');
  return `${key}:${/^[^\s]+$/.test(plain) ? plain : `"${plain}"`}`;
}

/** Returns the part that asks for a value of a field; null when a line cannot say it. */
export function valuePart(name: string, value: string): string | null {
  const text = /^[^\s"]+$/.test(value) ? value : `"${value}"`;
  const parts = [`${name}:${text}`, `"${name}":${text}`];
  return parts.find((part) => isOfValue(part, name, value)) ?? null;
}

/** Tells whether a line asks for this value of this field, and for nothing else. */
function isOfValue(line: string, name: string, value: string) {
  const { values, unclear, words } = parseFilterLine(line, new Date(0));
  const [read, ...others] = values;
  const isClear = unclear.length + words.length + others.length === 0;
  return isClear && read?.name === name && read.text === value;
}

/**
 * Returns the line with its parts of this key replaced, the new ones first.
 * @param isReplaced which parts go; by default all of the key
 */
export function withParts(
  line: string,
  key: string,
  parts: readonly string[],
  isReplaced: (value: string) => boolean = () => true,
) {
  const kept = Array.from(line.matchAll(PART), ([part]) => part).filter((part) => {
    const divides = divided(part);
    return divides.key?.toLowerCase() !== key || !isReplaced(divides.value.toLowerCase());
  });
  return [...parts, ...kept].join(' ');
}

/** Returns the line with moments for the days of a time zone, which mean the same in every other. */
export function withMoments(line: string, now: Date, timeZone: string) {
  if (timeZone === 'UTC') return line;
  const parts = Array.from(line.matchAll(PART), ([part]) => {
    const { key, value } = divided(part);
    const bound = key?.toLowerCase();
    const moment = bound === 'from' || bound === 'to' ? momentOf(value, now, timeZone) : null;
    return moment === null ? part : filterPart(bound ?? '', momentText(moment));
  });
  return parts.join(' ');
}

/** Returns a moment as lines of filters have it. */
export function momentText(at: Date) {
  return at.toISOString().replace('.000Z', 'Z');
}
