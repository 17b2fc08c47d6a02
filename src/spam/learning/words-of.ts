import { normalise } from '../../platform/index.js';
import { hash } from 'node:crypto';
import { DIGEST_BYTES } from './spam-model.entity.js';

/** A field of a submission, as a person reads it. */
export interface FieldText {
  name: string;
  text: string;
}

/** Most words of one submission that are learnt from or looked up; the first count. */
export const WORDS_MAX = 200;
/** Text of one submission that is looked at, in characters. */
const TEXT_MAX_CHARS = 4_000;
const LETTERS_MIN = 2;
const LETTERS_MAX = 24;
/** Longest value that counts as a whole together with its field, such as what a menu offers. */
const WHOLE_VALUE_MAX_CHARS = 24;
/** More links than these are as telling as these. */
const LINKS_MAX = 4;

const LINK = /(?:https?:\/\/|www\.)([^\s/"'<>?#:\]]+)\S*/giu;
/** The local part is bounded, so that a long text without any costs little. */
const ADDRESS = /[^\s@<>"']{1,64}@([\p{L}\p{N}.-]+\.\p{L}+)/giu;
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu;
/** Scripts that set no blanks between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+/gu;

/**
 * Takes a submission apart into what can be telling, each once: words in lower case, pairs of letters where a script
 * has no blanks, `host:` of links and addresses, `links:` with their number, and short values with their fields.
 */
export function wordsOf(fields: readonly FieldText[]): string[] {
  const found = new Set<string>();
  const plain: string[] = [];
  let links = 0;
  let left = TEXT_MAX_CHARS;
  for (const { name, text } of fields) {
    const part = normalise(text.slice(0, left), 'NFKC').toLowerCase();
    left -= Math.min(left, text.length);
    if (part === '') continue;
    if (part.length <= WHOLE_VALUE_MAX_CHARS) found.add(`${name.slice(0, LETTERS_MAX)}=${part}`);
    plain.push(
      part
        .replace(LINK, (_, host: string) => {
          links++;
          found.add(`host:${host.replace(/^www\./, '')}`);
          return ' ';
        })
        .replace(ADDRESS, (_, host: string) => {
          found.add(`host:${host}`);
          return ' ';
        }),
    );
  }
  found.add(`links:${Math.min(links, LINKS_MAX)}`);
  for (const text of plain) addWords(found, text);
  return [...found].slice(0, WORDS_MAX);
}

function addWords(found: Set<string>, text: string) {
  const spaced = text.replace(UNSPACED, (run) => {
    const letters = Array.from(run);
    for (let at = 0; at + 1 < letters.length; at++) {
      found.add(letters.slice(at, at + 2).join(''));
    }
    return ' ';
  });
  for (const [word] of spaced.matchAll(WORD)) {
    if (word.length >= LETTERS_MIN && word.length <= LETTERS_MAX) found.add(word);
  }
}

/** Returns what stands for a word in the tables, of DIGEST_BYTES. */
export function digestOf(word: string): Buffer {
  return Buffer.from(hash('sha256', word).slice(0, DIGEST_BYTES * 2), 'hex');
}
