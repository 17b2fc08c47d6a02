import {
  jsonElements,
  jsonMembers,
  readableJson,
  textOfString,
} from '../../platform/kernel/text/json-text.js';
import { embeddedFile, embeddedText, type EmbeddedFile } from './data-url.js';

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
    isNested(json)
      ? linesIn(json, { name, path: [] }, left)
      : lineOf(name, [], text ?? textOf(json)),
  );
}

/** Returns the label of a line by the label of its field, such as "Data, address, town" or "Items 1, name". */
export function lineLabel(field: string, path: AnswerLine['path']): string {
  return path.reduce<string>(
    (label, part) => (typeof part === 'number' ? `${label} ${part}` : `${label}, ${part}`),
    field,
  );
}

/** Returns the innermost name of a line, which says what its value is. */
export function innerName({ name, path }: Place): string {
  return path.findLast((part) => typeof part === 'string') ?? name;
}

/** Tells whether a value is a list or an object. */
export function isNested(json: string): boolean {
  return json.startsWith('{') || json.startsWith('[');
}

/** Returns those of lines that are least deep in their fields. */
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
function isPlain(json: string): boolean {
  return !isNested(json) && !json.startsWith('"data:');
}

function textOf(json: string): string {
  return json.startsWith('"') ? textOfString(json) : readableJson(json);
}
