import { normalise } from '../../platform/kernel/text/normalise.js';

/**
 * Returns a text as it is compared by a search: what differs only in the case of letters, or in how a letter with
 * marks is composed, is the same. Both the texts and what is searched for go through it, so no database has to know
 * about letters.
 */
export function fold(text: string): string {
  // A sigma at the end of a word is another letter in lower case; the beginning of a word would not be found in it.
  const lower = normalise(text.toWellFormed(), 'NFC').toLowerCase().replaceAll('ς', 'σ');
  return normalise(lower, 'NFC');
}
