/** Most fields that a row shows: it is one line. */
export const PREVIEW_FIELDS_MAX = 10;
/** Longest name of a field, in characters. */
export const FIELD_NAME_MAX = 255;

/** Returns names of fields that rows can show, in their order; null for what is no such list. */
export function parsePreview(value: unknown): string[] | null {
  if (!Array.isArray(value)) return null;
  const names = value.filter(isName);
  const isList = names.length === value.length && new Set(names).size === names.length;
  return isList && names.length > 0 && names.length <= PREVIEW_FIELDS_MAX ? names : null;
}

/** Returns the text that is stored: a JSON array; null for a choice by the names of the fields. */
export function encodePreview(fields: readonly string[] | null): string | null {
  return fields === null ? null : JSON.stringify(fields);
}

/** Reads the choice that `encodePreview` wrote; null for none, also where something was learnt instead. */
export function decodePreview(text: string | null): string[] | null {
  const read = parsed(text);
  return Array.isArray(read) ? read : null;
}

/** Which fields tell most of submissions, as they themselves showed. */
export interface LearntPreview {
  /** How many submissions the form had then. */
  at: number;
  fields: string[];
}

/** Returns the text that is stored where nobody has chosen: what was learnt, in the place of a choice. */
export function encodeLearnt({ at, fields }: LearntPreview): string {
  return JSON.stringify({ at, fields });
}

/** Reads what `encodeLearnt` wrote; null where nothing was learnt, or somebody has chosen. */
export function decodeLearnt(text: string | null): LearntPreview | null {
  const read = parsed(text);
  return read === null || Array.isArray(read) ? null : read;
}

/** Numbers of submissions at which is learnt; behind the last one, each so many more. */
const LEARNT_AT = [10, 50];
const LEARNT_EVERY = 500;
/** Fewest submissions from which something is learnt. */
export const LEARNT_FROM = 10;

/** Tells whether it is time to learn from what a form has; a choice is never replaced. */
export function isLearningDue(text: string | null, count: number): boolean {
  if (count < LEARNT_FROM || decodePreview(text)) return false;
  const learnt = decodeLearnt(text);
  // A copy knows what the form knew that it is of, and a form may have lost most of what it had.
  if (!learnt || count < learnt.at / 2) return true;
  const next = LEARNT_AT.find((each) => each > learnt.at) ?? learnt.at + LEARNT_EVERY;
  return count >= next;
}

function parsed(text: string | null): string[] | LearntPreview | null {
  return text === null ? null : (JSON.parse(text) as string[] | LearntPreview);
}

function isName(value: unknown): value is string {
  if (typeof value !== 'string' || !value.isWellFormed()) return false;
  const { length } = Array.from(value);
  return length > 0 && length <= FIELD_NAME_MAX;
}
