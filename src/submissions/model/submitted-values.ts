import { hash } from 'node:crypto';
import {
  type Config,
  byteSize,
  jsonDepth,
  jsonElements,
  type JsonMember,
  objectOfPairs,
  readableJson,
  textMember,
  textOfString,
  tokensOfPairs,
} from '../../platform/index.js';
import { answerLines, type AnswerLine } from './preview.js';
import { pageOf } from './page-address.js';
import { fold, addressOfVisitor, visitorAddressesOf } from './visitor-address.js';

/** Longest name of a field that is shown in a reason, in characters. */
const SHOWN_MAX = 64;

/** Holds imported and edited fields to the limits of submitted ones. @returns what is wrong, in a sentence; null for nothing */
export function problemOfFields(
  fields: readonly JsonMember[],
  { maxFields, maxFieldNameBytes, maxFieldValueBytes, maxBodyBytes, maxJsonDepth }: Config['intake'],
): string | null {
  if (fields.length === 0) return 'It has no fields.';
  if (valuesIn(fields) > maxFields) return `It has more than ${maxFields} fields.`;
  let bytes = 0;
  for (const { name, json, text } of fields) {
    const nameBytes = Buffer.byteLength(name);
    const valueBytes = Buffer.byteLength(text ?? textOf(json));
    const shown = name.slice(0, SHOWN_MAX);
    if (nameBytes > maxFieldNameBytes) {
      return `The name of a field is longer than ${byteSize(maxFieldNameBytes)}: "${shown}".`;
    }
    if (valueBytes > maxFieldValueBytes) {
      return `The field "${shown}" is longer than ${byteSize(maxFieldValueBytes)}.`;
    }
    if (jsonDepth(json) >= maxJsonDepth) {
      return `The field "${shown}" has more than ${maxJsonDepth} levels.`;
    }
    bytes += nameBytes + valueBytes;
  }
  return bytes > maxBodyBytes ? `It is larger than ${byteSize(maxBodyBytes)}.` : null;
}

/** A text counts without its JSON escapes, as it does where visitors send it. */
function textOf(json: string) {
  return json.startsWith('"') ? (JSON.parse(json) as string) : json;
}

/** Counts values as the index of values does: each item of a list is one. */
function valuesIn(fields: readonly JsonMember[]) {
  return fields.reduce((sum, { json }) => sum + (json.startsWith('[') ? Math.max(jsonElements(json).length, 1) : 1), 0);
}

/**
 * Holds what a visitor sent, as an ordered list of names and values. A value is kept as JSON text: a quoted
 * string from a form, anything from a JSON body. Order, repeated names and every character survive.
 */
export class SubmittedValues {
  #parsed?: unknown[];
  #scalars?: readonly { name: string; text: string }[];

  constructor(readonly members: readonly JsonMember[]) {}

  /** Makes values from names and plain text, as forms send them. */
  static ofPairs(pairs: readonly (readonly [string, string])[]): SubmittedValues {
    return new SubmittedValues(pairs.map(([name, text]) => textMember(name, text)));
  }

  /** Reads what `encode` wrote. */
  static decode(payload: string): SubmittedValues {
    const pairs = JSON.parse(payload) as [string, unknown][];
    if (pairs.every(([, value]) => typeof value === 'string')) {
      return SubmittedValues.ofPairs(pairs as [string, string][]);
    }
    return new SubmittedValues(
      jsonElements(payload).map((pair, index) => ({
        name: pairs[index]?.[0] ?? '',
        json: jsonElements(pair)[1] ?? 'null',
      })),
    );
  }

  /**
   * Returns what `toText` does of what `encode` wrote, with each value as it is written too. Plain values are not
   * parsed, nor copied in other forms, which takes most of the time and memory where they are long.
   */
  static textsIn(payload: string): { name: string; text: string; json: string }[] {
    const tokens = tokensOfPairs(payload);
    if (!tokens) {
      const values = SubmittedValues.decode(payload);
      return values.members.map(({ name, json }, at) => ({ name, text: values.textAt(at), json }));
    }
    const texts = [];
    for (let at = 0; at < tokens.length; at += 2) {
      const json = tokens[at + 1] ?? '';
      const text = json.startsWith('"') ? textOfString(json) : readableJson(json);
      texts.push({ name: textOfString(tokens[at] ?? ''), text, json });
    }
    return texts;
  }

  /** Returns the text that is stored: a JSON array of `[name, value]`. */
  encode() {
    return `[${this.members.map(({ name, json }) => `[${JSON.stringify(name)},${json}]`).join(',')}]`;
  }

  /** Returns the `values` object of the API, as `toJson` does, of what `encode` wrote. */
  static jsonOf(payload: string) {
    return objectOfPairs(payload) ?? SubmittedValues.decode(payload).toJson();
  }

  /**
   * Returns the `values` object of the API as JSON text: a name's only value, or the list of its values in
   * order. An object would put names that look like numbers first.
   */
  toJson() {
    const entries = [...this.byName()].map(([name, json]) => `${JSON.stringify(name)}:${json}`);
    return `{${entries.join(',')}}`;
  }

  /** Returns the value of each field as JSON text: its only one, or the list of its values in order. */
  byName(): Map<string, string> {
    const all = new Map<string, string[]>();
    for (const { name, json } of this.members) {
      const values = all.get(name);
      if (values) values.push(json);
      else all.set(name, [json]);
    }
    const one = (values: string[]) => (values.length === 1 ? (values[0] ?? '') : `[${values.join(',')}]`);
    return new Map([...all].map(([name, values]) => [name, one(values)]));
  }

  /** Returns names and values as a person reads them: text as it is, other JSON with letters for their escapes. */
  toText(): { name: string; text: string }[] {
    return this.members.map(({ name }, index) => ({ name, text: this.textAt(index) }));
  }

  /** Returns a line for each value, also for those in objects and lists. */
  lines(): AnswerLine[] {
    return answerLines(this.members);
  }

  /** Returns the visitor's address; null where none is sent, or several that nothing tells apart. */
  visitor(): string | null {
    return addressOfVisitor(this);
  }

  /** Returns all values, and the names of the files beside them, as a search compares them, one a line. */
  searchText(fileNames: readonly string[] = []) {
    const texts = this.members.map((_, index) => this.textAt(index));
    return fold([...texts, ...fileNames].join('\n'));
  }

  /** Returns every plain value under its name, those in a list one by one. These can be looked up. */
  scalars(): readonly { name: string; text: string }[] {
    return (this.#scalars ??= this.findScalars());
  }

  /** Returns every value under its name, those in a list one by one, as a person reads them; nothing for null. */
  items(): { name: string; text: string }[] {
    return this.members.flatMap(({ name }, index) => {
      const value = this.parsed[index];
      const items = Array.isArray(value) ? (value as unknown[]) : [value];
      return items.flatMap((item) => {
        if (item === null) return [];
        return { name, text: typeof item === 'string' ? item : JSON.stringify(item) };
      });
    });
  }

  /**
   * Returns them with these fields changed: a field keeps its place, a new one comes last.
   * @param changes JSON texts by name; null takes a field away
   */
  with(changes: ReadonlyMap<string, string | null>): SubmittedValues {
    const left = new Map(changes);
    const members = this.members.flatMap((member) => {
      const { name } = member;
      const json = changes.get(name);
      if (json === undefined) return [member];
      const isFirst = left.delete(name);
      return json === null || !isFirst ? [] : [{ name, json }];
    });
    const added = [...left].flatMap(([name, json]) => (json === null ? [] : [{ name, json }]));
    return new SubmittedValues([...members, ...added]);
  }

  /** Tells whether `name` has exactly this value. */
  has(name: string, text: string) {
    return this.scalars().some((scalar) => scalar.name === name && scalar.text === text);
  }

  private findScalars() {
    const found: { name: string; text: string }[] = [];
    this.members.forEach(({ name }, index) => {
      const value = this.parsed[index];
      for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) {
        if (typeof item === 'string') found.push({ name, text: item });
        else if (typeof item !== 'object') found.push({ name, text: JSON.stringify(item) });
      }
    });
    return found;
  }

  /** Parses each value once. */
  private get parsed() {
    return (this.#parsed ??= this.members.map(({ json, text }) => text ?? (JSON.parse(json) as unknown)));
  }

  private textAt(index: number) {
    const value = this.parsed[index];
    return typeof value === 'string' ? value : readableJson(this.members[index]?.json ?? '');
  }
}

export const DIGEST_BYTES = 8;
const HEX_DIGITS = DIGEST_BYTES * 2;
/** Takes the place of a field's name where the digest is of a visitor's address, whatever its field. */
const VISITOR = '\0visitor';
/** The same for where it came from. */
export const PAGE_KEY = '\0page';
export const ORIGIN_KEY = '\0origin';
export const COUNTRY_KEY = '\0country';

/** Where a submission came from, as far as it is looked up. */
export interface Place {
  origin: string | null;
  referer: string | null;
  /** Two letters; null when it is not known. */
  country: string | null;
}

/** Values to look up, with their places. */
export interface Sent extends Place {
  values: SubmittedValues;
}

/** A question to the index of values. A digest names candidates; `isIn` tells which are meant. */
export interface Lookup {
  digest: string;
  isIn: (sent: Sent) => boolean;
  /** The same, where a look at the place is enough: values are not read for it then. */
  isFrom?: (place: Place) => boolean;
}

/** Looks up a field with exactly this value. */
export function valueLookup(name: string, text: string): Lookup {
  return { digest: digestOf(name, text), isIn: ({ values }) => values.has(name, text) };
}

/** Looks up what a visitor sent under this email address, in any case of letters. */
export function visitorLookup(address: string): Lookup {
  const wanted = address.toLowerCase();
  return { digest: digestOf(VISITOR, wanted), isIn: ({ values }) => visitorAddressesOf(values).includes(wanted) };
}

/** Looks up what came from a page; empty for what came without one. */
export function pageLookup(page: string): Lookup {
  return placeLookup(PAGE_KEY, page, pageOf);
}

/** Looks up what came from an origin; empty for what came without one. */
export function originLookup(origin: string): Lookup {
  return placeLookup(ORIGIN_KEY, origin, (place) => place.origin ?? '');
}

/** Looks up what came from a country, by its two letters. */
export function countryLookup(country: string): Lookup {
  return placeLookup(COUNTRY_KEY, country, (place) => place.country);
}

function placeLookup(key: string, text: string, of: (place: Place) => string | null): Lookup {
  const isFrom = (place: Place) => of(place) === text;
  return { digest: digestOf(key, text), isIn: isFrom, isFrom };
}

/** Returns the digests of all plain values, of the visitor's addresses and of where it came from, each once. */
export function digestsOf(sent: Sent): string[] {
  const { values, origin, country } = sent;
  const digests = new Set([placeDigest(PAGE_KEY, pageOf(sent)), placeDigest(ORIGIN_KEY, origin ?? '')]);
  if (country !== null) digests.add(placeDigest(COUNTRY_KEY, country));
  for (const { name, text } of values.scalars()) digests.add(digestOf(name, text));
  for (const address of visitorAddressesOf(values)) digests.add(digestOf(VISITOR, address));
  return [...digests];
}

/** Digests of where submissions came from, which is the same for most of a form; at most so many, of short texts. */
const made = new Map<string, string>();
const MADE_MAX = 2_000;
const MADE_MAX_CHARS = 200;

function placeDigest(name: string, text: string) {
  const key = name + text;
  const known = made.get(key);
  if (known !== undefined) return known;
  const digest = digestOf(name, text);
  if (made.size < MADE_MAX && text.length <= MADE_MAX_CHARS) made.set(key, digest);
  return digest;
}

/**
 * Returns the digest of a field's value, in hexadecimal, since a string is made much faster than bytes. The
 * length in front keeps `a`,`bc` and `ab`,`c` apart.
 */
export function digestOf(name: string, text: string) {
  return hash('sha256', `${name.length}:${name}${text}`).slice(0, HEX_DIGITS);
}

/**
 * The form of probes, which the service sends to itself: no form and no account has these ids, so no list, count or task
 * knows of them.
 */
export const PROBE_FORM = { id: 0, accountId: -1 } as const;

/** Letters that German writes in two ways, each with the other. Both have as many bytes in UTF-8. */
const PAIRS = [
  ['ae', 'ä'],
  ['oe', 'ö'],
  ['ue', 'ü'],
  ['ss', 'ß'],
] as const;
const OTHER = new Map<string, string>(
  PAIRS.flatMap(([two, one]) => [
    [two, one],
    [one, two],
  ]),
);
/** Divides a text so that each second part is one of these letters. */
const LETTERS = /(ae|oe|ue|ss|[äöüß])/;

/** Most spellings of a word. */
const SPELLINGS_MAX = 8;
/** Most texts that are looked for at once: as many as a line may have words. */
const TEXTS_MAX = 50;

/**
 * Returns the texts any of which a text has that a word is found in, for each word: `gruesse` is found in `Grüße`, and
 * the other way round. They are folded; the first is the word itself.
 */
export function spellingsOf(words: readonly string[]): string[][] {
  const folded = [...new Set(words.map(fold))];
  const max = Math.min(Math.floor(TEXTS_MAX / Math.max(folded.length, 1)), SPELLINGS_MAX);
  return folded.map((word) => spellings(word, Math.max(max, 1)));
}

/** Returns whether a folded text has one of the spellings of each word. */
export function hasAll(text: string, words: readonly (readonly string[])[]) {
  return words.every((word) => word.some((spelling) => text.includes(spelling)));
}

/** Returns the spellings of a folded word: first those that keep to one way, then those that mix them. */
function spellings(word: string, max: number) {
  const parts = word.split(LETTERS);
  const other = (part: string) => OTHER.get(part) ?? part;
  const same = (isMeant: (part: string) => boolean) =>
    parts.map((part) => (isMeant(part) ? other(part) : part)).join('');
  const found = new Set([word, same((part) => part.length === 2), same((part) => part.length === 1)]);
  let mixed = [''];
  for (const [index, part] of parts.entries()) {
    const isEither = index % 2 === 1 && mixed.length < SPELLINGS_MAX;
    mixed = mixed.flatMap((before) => (isEither ? [before + part, before + other(part)] : [before + part]));
  }
  return [...found, ...mixed.filter((text) => !found.has(text))].slice(0, max);
}
