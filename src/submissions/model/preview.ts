import { decodeLearnt, decodePreview } from '../../forms/model/preview-fields.js';
import { innerName, outermost, type AnswerLine } from './answer-lines.js';

/** A value under its name, as a person reads it. */
export type Answer = Pick<AnswerLine, 'name' | 'path' | 'text'> & Partial<AnswerLine>;

const NAMES = /^(?:full|first|last|your)?[ _-]?name$/i;
const ADDRESS = /^(?:_replyto|(?:your[ _-]?)?e?[ _-]?mail(?:[ _-]?address)?)$/i;
/** Most characters of a text in a list, which shows one line of it. */
const SHOWN_MAX = 160;

/** Preview of a submission in a row: a value or two in bold, and as many others as one line takes. */
export interface Preview {
  from: string;
  /** Each apart, since they may be in scripts of either direction. */
  rest: string[];
}

/**
 * Returns the values of the fields that were chosen, the first of them in bold. Without a choice, and where none of
 * them is filled in: who it is from, by names of fields, else by what was learnt of them, else by address, else by its
 * first value; and the values of the fields that tell most, or all others where nothing was learnt.
 * @param previewFields as the form keeps them
 */
export function previewOf(answers: readonly Answer[], previewFields: string | null): Preview {
  const filled = answers.filter(isFilled);
  const [bold, ...others] = (decodePreview(previewFields) ?? []).flatMap((field) =>
    filled.filter(({ name }) => name === field),
  );
  if (bold) return { from: oneLine([bold]), rest: cutAll(others.map(({ text }) => text)) };
  const telling = (decodeLearnt(previewFields)?.fields ?? []).flatMap((field) =>
    filled.filter(({ name }) => name === field),
  );
  const senders = boldOf(filled, telling);
  const isOther = (answer: Answer) => !senders.includes(answer);
  const rest = telling.length > 0 ? telling.filter(isOther) : wordsFirst(filled.filter(isOther));
  return { from: oneLine(senders), rest: cutAll(rest.map(({ text }) => text)) };
}

/** Returns answers with the one that has most words before the others, and addresses last. A file has none. */
function wordsFirst(answers: readonly Answer[]): Answer[] {
  const addresses = answers.filter(isAddress);
  const others = answers.filter((answer) => !addresses.includes(answer));
  const first = others
    .filter(({ text, embedded }) => !embedded && /\p{L}/u.test(text))
    .sort((one, other) => other.text.length - one.text.length)
    .slice(0, 1);
  return [...first, ...others.filter((answer) => !first.includes(answer)), ...addresses];
}

/** Returns who a submission is from, by name, else address; null when no field is made for either. */
export function senderOf(answers: readonly Answer[]): string | null {
  const senders = sendersOf(answers.filter(isFilled));
  return senders.length === 0 ? null : oneLine(senders);
}

/** Tells by its name whether a field is for an email address. */
export function isAddressField(name: string): boolean {
  return ADDRESS.test(name);
}

function isAddress(answer: Answer): boolean {
  return isAddressField(innerName(answer));
}

/** Returns the answers that a row shows in bold, where nobody has chosen. */
function boldOf(filled: Answer[], telling: Answer[]): Answer[] {
  const names = outermost(filled.filter((answer) => NAMES.test(innerName(answer))));
  if (names.length > 0) return names;
  const [first] = telling;
  const senders = first ? [first] : sendersOf(filled);
  return senders.length > 0 ? senders : filled.slice(0, 1);
}

/** Returns the answers that say who wrote. */
function sendersOf(filled: Answer[]): Answer[] {
  const names = outermost(filled.filter((answer) => NAMES.test(innerName(answer))));
  const address = outermost(filled.filter(isAddress))[0];
  return names.length > 0 || address === undefined ? names : [address];
}

function isFilled({ text }: Answer): boolean {
  return text.trim() !== '';
}

function oneLine(answers: readonly Answer[]): string {
  return cut(answers.map(({ text }) => text).join(' '));
}

function cutAll(texts: string[]): string[] {
  const shown: string[] = [];
  let left = SHOWN_MAX;
  for (const text of texts) {
    if (left <= 0) break;
    const line = cut(text, left);
    shown.push(line);
    left -= line.length;
  }
  return shown;
}

function cut(text: string, max = SHOWN_MAX): string {
  const line = text
    .slice(0, max * 2)
    .replace(/\s+/g, ' ')
    .trim();
  const letters = Array.from(line);
  return letters.length > max ? `${letters.slice(0, max).join('')}…` : line;
}
