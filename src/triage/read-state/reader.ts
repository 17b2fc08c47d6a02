import type { Principal } from '../../access/principal.js';

/** Returns for whom it is kept what was read: a person, or a token. */
export function readerOf({ reader }: Principal): string {
  return `${reader.kind}:${reader.id ?? ''}`;
}
