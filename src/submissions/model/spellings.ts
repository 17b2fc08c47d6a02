import { fold } from './fold.js';

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
export function hasAll(text: string, words: readonly (readonly string[])[]): boolean {
  return words.every((word) => word.some((spelling) => text.includes(spelling)));
}

/** Returns the spellings of a folded word: first those that keep to one way, then those that mix them. */
function spellings(word: string, max: number): string[] {
  const parts = word.split(LETTERS);
  const other = (part: string) => OTHER.get(part) ?? part;
  const same = (isMeant: (part: string) => boolean) =>
    parts.map((part) => (isMeant(part) ? other(part) : part)).join('');
  const found = new Set([
    word,
    same((part) => part.length === 2),
    same((part) => part.length === 1),
  ]);
  let mixed = [''];
  for (const [index, part] of parts.entries()) {
    const isEither = index % 2 === 1 && mixed.length < SPELLINGS_MAX;
    mixed = mixed.flatMap((before) =>
      isEither ? [before + part, before + other(part)] : [before + part],
    );
  }
  return [...found, ...mixed.filter((text) => !found.has(text))].slice(0, max);
}
