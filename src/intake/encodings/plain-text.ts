import type { TextDecoder } from 'node:util';
import type { SubmissionLimits } from './submission-limits.js';
import { decodePairs } from './pairs.js';

/**
 * Reads `text/plain` as a form with that `enctype` sends it (HTML Standard, section 4.10.21.8): a line
 * `name=value` for each field. A line without `=` continues the value before it, as the lines of a text area
 * do.
 * @param declared the charset of the Content-Type, if it names one
 * @returns null when it does not begin with a field
 * @throws FieldLimitExceeded
 */
export function parsePlainText(
  body: Buffer,
  declared: TextDecoder | null,
  limits: SubmissionLimits,
): [string, string][] | null {
  const lines = body.toString('latin1').split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  const raw: { name: string; lines: string[] }[] = [];
  for (const line of lines) {
    const equals = line.indexOf('=');
    const last = raw.at(-1);
    if (equals < 0) {
      if (!last) return null;
      last.lines.push(line);
    } else {
      if (raw.length === limits.maxFields) throw limits.tooManyFields();
      raw.push({ name: line.slice(0, equals), lines: [line.slice(equals + 1)] });
    }
  }
  const pairs = raw.map(({ name, lines }) => [name, lines.join('\r\n')] as const);
  return decodePairs(pairs, declared, limits);
}
