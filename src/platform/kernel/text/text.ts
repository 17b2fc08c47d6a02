/** Returns so much of a text, in UTF-16 code units, without half of a character at its end. */
export function beginningOf(text: string, max: number) {
  return text.length <= max ? text : text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '');
}

/** Returns a text, of a longer one its beginning with an ellipsis. */
export function cutAt(text: string, max: number) {
  return text.length <= max ? text : `${beginningOf(text, max)}…`;
}

/** Returns the parts of a list with commas, without blanks around them and without empty ones. */
export function commaList(text: string): string[] {
  return text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
}

/** Marks, and the two letters of half width that decompose into marks. */
const MARK = '[\\p{M}\\uff9e\\uff9f]';
/** A run of more than 30 marks, which no language writes (UAX 15, Stream-Safe Text Format). */
const LONG_RUN = new RegExp(`(?<!${MARK})(${MARK}{30})${MARK}+`, 'gu');

/**
 * Brings text from outside into a normal form, in time that grows with its length. Libraries sort the marks of a run by
 * insertion, so a run of 100,000 takes them seconds: what is beyond 30 marks is left out.
 */
export function normalise(text: string, form: 'NFC' | 'NFKC' | 'NFKD') {
  return text.replace(LONG_RUN, '$1').normalize(form);
}

/** Returns a name as the code spells it: `webhook_url` is `webhookUrl`. */
export function camelCase(name: string) {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns a name as columns and the API spell it: `webhookUrl` is `webhook_url`. */
export function snakeCase(name: string) {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Longest name of an account or a token, in characters (code points). */
const NAME_MAX = 255;

/**
 * Reads the name of an account or a token.
 * @returns the name without surrounding blanks; null when nothing is left or it is too long
 */
export function parseName(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const name = value.trim();
  const length = Array.from(name).length;
  return length >= 1 && length <= NAME_MAX ? name : null;
}

/** Rule of `parseName`, for error messages. */
export const NAME_RULE = `must have 1 to ${NAME_MAX} characters`;

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
