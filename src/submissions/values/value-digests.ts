import { hash } from 'node:crypto';
import type { SubmittedValues } from './submitted-values.js';
import { visitorAddressesOf } from './visitor-address.js';

export const DIGEST_BYTES = 8;
const HEX_DIGITS = DIGEST_BYTES * 2;
/** Takes the place of a field's name where the digest is of a visitor's address, whatever its field. */
const VISITOR = '\0visitor';

/** What the index of values is asked for. A digest names candidates; `isIn` tells which are meant. */
export interface Lookup {
  digest: string;
  isIn: (values: SubmittedValues) => boolean;
}

/** Looks up a field with exactly this value. */
export function valueLookup(name: string, text: string): Lookup {
  return { digest: digestOf(name, text), isIn: (values) => values.has(name, text) };
}

/** Looks up what a visitor sent under this e-mail address, in any case of letters. */
export function visitorLookup(address: string): Lookup {
  const wanted = address.toLowerCase();
  return {
    digest: digestOf(VISITOR, wanted),
    isIn: (values) => visitorAddressesOf(values).includes(wanted),
  };
}

/** Returns the digests of all plain values and of the visitor's addresses, each once. */
export function digestsOf(values: SubmittedValues): string[] {
  const digests = new Set<string>();
  for (const { name, text } of values.scalars()) digests.add(digestOf(name, text));
  for (const address of visitorAddressesOf(values)) digests.add(digestOf(VISITOR, address));
  return [...digests];
}

/**
 * Returns the digest of a field's value, in hexadecimal, since a string is made much faster than bytes. The
 * length in front keeps `a`,`bc` and `ab`,`c` apart.
 */
function digestOf(name: string, text: string): string {
  return hash('sha256', `${name.length}:${name}${text}`).slice(0, HEX_DIGITS);
}
