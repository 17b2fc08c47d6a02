import {
  jsonElements,
  jsonMembers,
  readableJson,
  textOfString,
} from '../../platform/kernel/text/json-text.js';

/** Values that nest deeper are shown as JSON. */
const DEPTH_MAX = 6;
/** Lines that the lists and objects of a submission add at most; what would add more is shown as JSON. */
const ADDED_MAX = 200;

/** A value as it was sent. */
interface Sent {
  name: string;
  json: string;
  /** The value as a person reads it, where it is known. */
  text?: string;
}

/** A line of a submission: a field with its value, or one of the values that a field holds. */
export interface AnswerLine {
  /** Name of the field. */
  name: string;
  /** Names, and numbers from 1, that lead from the field to the value; empty for the value of the field. */
  path: readonly (string | number)[];
  text: string;
}

/**
 * Returns what a person reads of a submission, a line for each value: also for those in objects and in lists, but for
 * lists of plain values, which are one line.
 */
export function answerLines(values: readonly Sent[]): AnswerLine[] {
  const left = { lines: ADDED_MAX };
  return values.flatMap(({ name, json, text }) =>
    isNested(json)
      ? linesIn(json, [], left).map((line) => ({ name, ...line }))
      : { name, path: [], text: text ?? textOf(json) },
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
export function innerName({ name, path }: Pick<AnswerLine, 'name' | 'path'>): string {
  return path.findLast((part) => typeof part === 'string') ?? name;
}

/** Tells whether a value is a list or an object. */
export function isNested(json: string): boolean {
  return json.startsWith('{') || json.startsWith('[');
}

/** @param left how many lines may be added yet */
function linesIn(
  json: string,
  path: AnswerLine['path'],
  left: { lines: number },
): Omit<AnswerLine, 'name'>[] {
  if (!isNested(json)) return [{ path, text: textOf(json) }];
  const isList = json.startsWith('[');
  const parts: readonly [string | number, string][] = isList
    ? jsonElements(json).map((part, index) => [index + 1, part.trim()])
    : jsonMembers(json).map((member) => [member.name, member.json]);
  if (isList && parts.every(([, part]) => !isNested(part))) {
    return [{ path, text: parts.map(([, part]) => textOf(part)).join(', ') }];
  }
  if (parts.length === 0) return [{ path, text: '' }];
  if (path.length === DEPTH_MAX || parts.length - 1 > left.lines) {
    return [{ path, text: readableJson(json) }];
  }
  left.lines -= parts.length - 1;
  return parts.flatMap(([name, part]) => linesIn(part, [...path, name], left));
}

function textOf(json: string): string {
  return json.startsWith('"') ? textOfString(json) : readableJson(json);
}
