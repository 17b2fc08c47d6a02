/** Returns so much of a text, in UTF-16 code units, without half of a character at its end. */
export function beginningOf(text: string, max: number): string {
  return text.length <= max ? text : text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '');
}

/** Returns a text, of a longer one its beginning with an ellipsis. */
export function cutAt(text: string, max: number): string {
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
export function normalise(text: string, form: 'NFC' | 'NFKC'): string {
  return text.replace(LONG_RUN, '$1').normalize(form);
}

/** Returns a name as the code spells it: `webhook_url` is `webhookUrl`. */
export function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns a name as columns and the API spell it: `webhookUrl` is `webhook_url`. */
export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
