import { hash } from 'node:crypto';
import { pageOf } from './page-address.js';
import type { SubmittedValues } from './submitted-values.js';
import { visitorAddressesOf } from './visitor-address.js';

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
  return {
    digest: digestOf(VISITOR, wanted),
    isIn: ({ values }) => visitorAddressesOf(values).includes(wanted),
  };
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
  const digests = new Set([
    placeDigest(PAGE_KEY, pageOf(sent)),
    placeDigest(ORIGIN_KEY, origin ?? ''),
  ]);
  if (country !== null) digests.add(placeDigest(COUNTRY_KEY, country));
  for (const { name, text } of values.scalars()) digests.add(digestOf(name, text));
  for (const address of visitorAddressesOf(values)) digests.add(digestOf(VISITOR, address));
  return [...digests];
}

/** Digests of where submissions came from, which is the same for most of a form; at most so many, of short texts. */
const made = new Map<string, string>();
const MADE_MAX = 2_000;
const MADE_MAX_CHARS = 200;

function placeDigest(name: string, text: string): string {
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
export function digestOf(name: string, text: string): string {
  return hash('sha256', `${name.length}:${name}${text}`).slice(0, HEX_DIGITS);
}
