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

/** Reads what `encodePreview` wrote. */
export function decodePreview(text: string | null): string[] | null {
  return text === null ? null : (JSON.parse(text) as string[]);
}

function isName(value: unknown): value is string {
  if (typeof value !== 'string' || !value.isWellFormed()) return false;
  const { length } = Array.from(value);
  return length > 0 && length <= FIELD_NAME_MAX;
}
