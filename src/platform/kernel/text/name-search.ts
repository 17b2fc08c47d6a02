/** Names that are compared letter by letter, of those that may have what is searched for. */
export const NAMES_LOOKED_MAX = 500;
/** Parts of words that a database compares with each name. */
const PARTS_MAX = 8;

/** Returns the words of a search. */
export function wordsIn(text: string): string[] {
  return text.split(/\s+/);
}

/**
 * Returns what a database compares of the words of a search: runs of letters and digits of ASCII in lower case, which
 * all of them fold alike. What else the words have is for `meaning` to compare.
 */
export function comparable(words: readonly string[]): string[] {
  const parts = words.flatMap((word) => word.toLowerCase().match(/[a-z0-9]+/g) ?? []);
  return parts.slice(0, PARTS_MAX);
}

/** Shorter words begin too many others to mean one. */
const MEANT_LETTERS = 3;

/** Returns which of these words begin a word of a text, and which do not, in any case of letters. */
export function beginning(words: readonly string[], text: string): [string[], string[]] {
  const known = wordsIn(text.toLowerCase());
  const begins = (word: string) =>
    word.length >= MEANT_LETTERS && known.some((each) => each.startsWith(word.toLowerCase()));
  return [words.filter(begins), words.filter((word) => !begins(word))];
}

/** Returns what tells whether a name has every one of these words, in any case of letters. */
export function meaning(words: readonly string[]): (name: string) => boolean {
  const folded = words.map((word) => word.toLowerCase());
  return (name) => folded.every((word) => name.toLowerCase().includes(word));
}
