import { hash } from 'node:crypto';
import type { SubmittedValues } from './submitted-values.js';

export const DIGEST_BYTES = 8;

/** What stands for a value of a field; the length keeps `a`,`bc` and `ab`,`c` apart. */
export function digestOf(name: string, text: string): Buffer {
  return hash('sha256', `${name.length}:${name}${text}`, 'buffer').subarray(0, DIGEST_BYTES);
}

/** The digests of all plain values, each once. */
export function digestsOf(values: SubmittedValues): Buffer[] {
  const digests = new Map<string, Buffer>();
  for (const { name, text } of values.scalars()) {
    const digest = digestOf(name, text);
    digests.set(digest.toString('latin1'), digest);
  }
  return [...digests.values()];
}
