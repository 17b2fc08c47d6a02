import { parseUrl } from '../../platform/index.js';

/** An address in a text, as far as no blank, bracket or control character ends it. */
const ADDRESS = /https?:\/\/[^\s<>"\p{Cc}]+/giu;
/** Marks that end a sentence and no address. */
const ENDS = ".,;:!?'…";
const BRACKETS = new Map([
  [')', '('],
  [']', '['],
  ['}', '{'],
]);

/** A part of a text: an address, or what stands around. */
interface Piece {
  text: string;
  isAddress: boolean;
}

/** Splits a text into its addresses and what stands around them, none of it empty. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  const add = (to: number, isAddress: boolean) => {
    if (to > from) pieces.push({ text: text.slice(from, to), isAddress });
    from = to;
  };
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = withoutEnd(found);
    if (!parseUrl(address)) continue;
    add(index, false);
    add(index + address.length, true);
  }
  add(text.length, false);
  return pieces;
}

/** Rewrites what stands around the addresses of a text. */
export function aroundAddresses(text: string, write: (text: string) => string) {
  return piecesOf(text)
    .map((piece) => (piece.isAddress ? piece.text : write(piece.text)))
    .join('');
}

/** Returns an address without what ends the sentence: `https://a.example/(b).` is `https://a.example/(b)`. */
function withoutEnd(address: string) {
  let end = address.length;
  while (end > 0 && endsSentence(address[end - 1] ?? '', address, end)) end--;
  return address.slice(0, end);
}

function endsSentence(last: string, address: string, end: number) {
  const opening = BRACKETS.get(last);
  if (opening === undefined) return ENDS.includes(last);
  const opened = address.lastIndexOf(opening, end - 2);
  return opened < 0;
}

/** Marks that count at the beginning of a line alone: of lists, and of a number in one. */
const LINE_MARKS = /^([ \t]*)([-+=]|\d{1,9}(?=[.)]))/gmu;

/** Escapes what Discord, Mattermost and their kin read as Markdown; addresses stay as they are. */
export function escapedMarkdown(text: string) {
  return aroundAddresses(text, (part) =>
    part
      .replace(/[\\*_~`|<>[\]()#]/g, '\\$&')
      .replace(LINE_MARKS, (_, blanks: string, mark: string) =>
        /\d/.test(mark) ? `${blanks}${mark}\\` : `${blanks}\\${mark}`,
      ),
  );
}
