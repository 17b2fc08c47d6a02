import type { Config } from '../../platform/config/config.js';
import { byteSize } from '../../platform/kernel/byte-size.js';
import { jsonDepth, jsonElements, type JsonMember } from '../../platform/kernel/text/json-text.js';

/** Longest name of a field that is shown in a reason, in characters. */
const SHOWN_MAX = 64;

/** Holds imported and edited fields to the limits of submitted ones. @returns what is wrong, in a sentence; null for nothing */
export function problemOfFields(
  fields: readonly JsonMember[],
  {
    maxFields,
    maxFieldNameBytes,
    maxFieldValueBytes,
    maxBodyBytes,
    maxJsonDepth,
  }: Config['intake'],
): string | null {
  if (fields.length === 0) return 'It has no fields.';
  if (valuesIn(fields) > maxFields) return `It has more than ${maxFields} fields.`;
  let bytes = 0;
  for (const { name, json, text } of fields) {
    const nameBytes = Buffer.byteLength(name);
    const valueBytes = Buffer.byteLength(text ?? textOf(json));
    const shown = name.slice(0, SHOWN_MAX);
    if (nameBytes > maxFieldNameBytes) {
      return `The name of a field is longer than ${byteSize(maxFieldNameBytes)}: "${shown}".`;
    }
    if (valueBytes > maxFieldValueBytes) {
      return `The field "${shown}" is longer than ${byteSize(maxFieldValueBytes)}.`;
    }
    if (jsonDepth(json) >= maxJsonDepth) {
      return `The field "${shown}" has more than ${maxJsonDepth} levels.`;
    }
    bytes += nameBytes + valueBytes;
  }
  return bytes > maxBodyBytes ? `It is larger than ${byteSize(maxBodyBytes)}.` : null;
}

/** A text counts without its JSON escapes, as it does where visitors send it. */
function textOf(json: string): string {
  return json.startsWith('"') ? (JSON.parse(json) as string) : json;
}

/** Counts values as the index of values does: each item of a list is one. */
function valuesIn(fields: readonly JsonMember[]): number {
  return fields.reduce(
    (sum, { json }) => sum + (json.startsWith('[') ? Math.max(jsonElements(json).length, 1) : 1),
    0,
  );
}
