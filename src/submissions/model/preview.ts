import { byteSize, jsonElements, jsonMembers, readableJson, textOfString } from '../../platform/index.js';
import { decodeLearnt, decodePreview } from '../../forms/model/form-values.js';

/** Longest beginning of a `data:` URL before its content, in characters. */
const HEAD_MAX = 400;

/** The type, and parameters such as `charset=utf-8` and `base64`. */
const HEAD = /^data:([a-z\d.+-]{1,60}\/[a-z\d.+-]{1,80})((?:;[\w="'.-]{1,60}){0,4}),/i;

/** Shorter content that is not base64 is shown as it was typed, in characters. */
const TYPED_MAX = 200;

const BASE64 = /^[A-Za-z\d+/_=%\s-]*$/;

/** Types of pictures that browsers show without running anything. */
const PICTURES = ['image/png', 'image/jpeg', 'image/jpg', 'image/gif', 'image/webp'];

/** A file that a visitor's script sent as text. */
export interface EmbeddedFile {
  type: string;
  /** Whether it says that it is a picture which pages can show. */
  isPicture: boolean;
  size: number;
  source: string;
}

/** Reads a text such as `data:image/png;base64,…`, as pads for signatures send it; null for any other. */
export function embeddedFile(text: string): EmbeddedFile | null {
  if (!/^data:/i.test(text)) return null;
  const [head, type = '', parameters = ''] = HEAD.exec(text.slice(0, HEAD_MAX)) ?? [];
  if (head === undefined) return null;
  const length = text.length - head.length;
  const isBase64 = /;base64$/i.test(parameters);
  if (isBase64 ? !BASE64.test(text.slice(head.length)) : length <= TYPED_MAX) return null;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const size = isBase64 ? Math.floor((length * 3) / 4) - padding : length;
  const isPicture = PICTURES.includes(type.toLowerCase());
  return { type: type.toLowerCase(), isPicture, size, source: text };
}

/** Says in place of a file what it is, such as "image, 115 KiB". */
function embeddedText({ type, isPicture, size }: EmbeddedFile) {
  return `${isPicture ? 'image' : `file (${type})`}, ${byteSize(size)}`;
}

/** Returns the name under which a file is saved, such as `signature.pdf`. */
export function embeddedName(field: string, { type }: EmbeddedFile) {
  return `${field}.${/\/([a-z\d]+)/.exec(type)?.[1] ?? 'bin'}`;
}

/** Returns the bytes of a file. */
export function embeddedBytes({ source }: EmbeddedFile): Buffer {
  const at = source.indexOf(',');
  return Buffer.from(decoded(source.slice(at + 1)), /;base64$/i.test(source.slice(0, at)) ? 'base64' : 'utf8');
}

function decoded(content: string) {
  try {
    return decodeURIComponent(content);
  } catch {
    return content;
  }
}

/** Values that nest deeper are shown as JSON. */
const DEPTH_MAX = 6;

/** Lines that the lists and objects of a submission add at most; what would add more is shown as JSON. */
const ADDED_MAX = 200;

/** A value as it was sent. */
export interface SentValue {
  name: string;
  json: string;
  /** The value as a person reads it, where it is known. */
  text?: string;
}

type Place = Pick<AnswerLine, 'name' | 'path'>;

/** A line of a submission: a field with its value, or one of the values that a field holds. */
export interface AnswerLine {
  /** Name of the field. */
  name: string;
  /** Names, and numbers from 1, that lead from the field to the value; empty for the value of the field. */
  path: readonly (string | number)[];
  /** Text as a person reads it; of a file that was sent as text, its kind and size. */
  text: string;
  /** The file that was sent as text; null for none. */
  embedded: EmbeddedFile | null;
}

/**
 * Returns what a person reads of a submission, a line for each value: also for those in objects and in lists, but for
 * lists of plain values, which are one line.
 */
export function answerLines(values: readonly SentValue[]): AnswerLine[] {
  const left = { lines: ADDED_MAX };
  return values.flatMap(({ name, json, text }) =>
    isNested(json) ? linesIn(json, { name, path: [] }, left) : lineOf(name, [], text ?? textOf(json)),
  );
}

/** Returns the label of a line by the label of its field, such as "Data, address, town" or "Items 1, name". */
export function lineLabel(field: string, path: AnswerLine['path']) {
  return path.reduce<string>(
    (label, part) => (typeof part === 'number' ? `${label} ${part}` : `${label}, ${part}`),
    field,
  );
}

/** Returns the innermost name of a line, which says what its value is. */
export function innerName({ name, path }: Place) {
  return path.findLast((part) => typeof part === 'string') ?? name;
}

/** Tells whether a value is a list or an object. */
export function isNested(json: string) {
  return json.startsWith('{') || json.startsWith('[');
}

/** Returns the lines that are least deep in their fields. */
export function outermost<T extends Pick<AnswerLine, 'path'>>(lines: readonly T[]): T[] {
  const least = Math.min(...lines.map(({ path }) => path.length));
  return lines.filter(({ path }) => path.length === least);
}

/** @param left how many lines may be added yet */
function linesIn(json: string, place: Place, left: { lines: number }): AnswerLine[] {
  const { name, path } = place;
  if (!isNested(json)) return [lineOf(name, path, textOf(json))];
  const isList = json.startsWith('[');
  const parts: readonly [string | number, string][] = isList
    ? jsonElements(json).map((part, index) => [index + 1, part])
    : jsonMembers(json).map((member) => [member.name, member.json]);
  if (isList && parts.every(([, part]) => isPlain(part))) {
    return [lineOf(name, path, parts.map(([, part]) => textOf(part)).join(', '))];
  }
  if (parts.length === 0) return [lineOf(name, path, '')];
  if (path.length === DEPTH_MAX || parts.length - 1 > left.lines) {
    return [lineOf(name, path, readableJson(json))];
  }
  left.lines -= parts.length - 1;
  return parts.flatMap(([part, value]) => linesIn(value, { name, path: [...path, part] }, left));
}

function lineOf(name: string, path: AnswerLine['path'], text: string): AnswerLine {
  const embedded = embeddedFile(text);
  return { name, path, text: embedded ? embeddedText(embedded) : text, embedded };
}

/** Tells whether a value can stand in a line with others. */
function isPlain(json: string) {
  return !isNested(json) && !json.startsWith('"data:');
}

function textOf(json: string) {
  return json.startsWith('"') ? textOfString(json) : readableJson(json);
}

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
  /** The address of whom the name says already, where nobody has chosen to see it. */
  address?: string;
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
  const address = senders.some(isAddress) ? undefined : outermost(filled.filter(isAddress))[0];
  const isOther = (answer: Answer) => !senders.includes(answer) && answer !== address;
  const rest = telling.length > 0 ? telling.filter(isOther) : wordsFirst(filled.filter(isOther));
  const shown = { from: oneLine(senders), rest: cutAll(rest.map(({ text }) => text)) };
  return address ? { ...shown, address: oneLine([address]) } : shown;
}

/** Returns the field that holds the message, as submissions of the form showed; null where nothing was learnt. */
export function messageField(previewFields: string | null): string | null {
  const [first, second] = decodeLearnt(previewFields)?.fields ?? [];
  // Who it is from stands before it, where that is known.
  const isOfSender = second !== undefined && (NAMES.test(second) || isAddressField(second));
  return (isOfSender ? first : second) ?? null;
}

/** Returns answers with the one that has most words before the others, and addresses last. A file has none. */
function wordsFirst(answers: readonly Answer[]) {
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
export function isAddressField(name: string) {
  return ADDRESS.test(name);
}

function isAddress(answer: Answer) {
  return isAddressField(innerName(answer));
}

/** Returns the answers that a row shows in bold, where nobody has chosen. */
function boldOf(filled: Answer[], telling: Answer[]) {
  const names = outermost(filled.filter((answer) => NAMES.test(innerName(answer))));
  if (names.length > 0) return names;
  const [first] = telling;
  const senders = first ? [first] : sendersOf(filled);
  return senders.length > 0 ? senders : filled.slice(0, 1);
}

/** Returns the answers that say who wrote. */
function sendersOf(filled: Answer[]) {
  const names = outermost(filled.filter((answer) => NAMES.test(innerName(answer))));
  const address = outermost(filled.filter(isAddress))[0];
  return names.length > 0 || address === undefined ? names : [address];
}

function isFilled({ text }: Answer) {
  return text.trim() !== '';
}

function oneLine(answers: readonly Answer[]) {
  return cut(answers.map(({ text }) => text).join(' '));
}

function cutAll(texts: string[]) {
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

function cut(text: string, max = SHOWN_MAX) {
  const line = text
    .slice(0, max * 2)
    .replace(/\s+/g, ' ')
    .trim();
  const letters = Array.from(line);
  return letters.length > max ? `${letters.slice(0, max).join('')}…` : line;
}
