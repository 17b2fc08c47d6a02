import { hash } from 'node:crypto';
import type { SubmittedValues } from './submitted-values.js';

export const DIGEST_BYTES = 8;
const HEX_DIGITS = DIGEST_BYTES * 2;

/**
 * Returns the digest of a field's value, in hexadecimal, since a string is made much faster than bytes. The
 * length in front keeps `a`,`bc` and `ab`,`c` apart.
 */
export function digestOf(name: string, text: string): string {
  return hash('sha256', `${name.length}:${name}${text}`).slice(0, HEX_DIGITS);
}

/** Returns the digests of all plain values, each once. */
export function digestsOf(values: SubmittedValues): string[] {
  const digests = new Set<string>();
  for (const { name, text } of values.scalars()) digests.add(digestOf(name, text));
  return [...digests];
}
