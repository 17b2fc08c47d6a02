import type { SubmissionLimits } from './submission-limits.js';
import { decodePairs } from './pairs.js';

const HEX = Array.from('0123456789abcdefABCDEF');
/** The character of each pair of hexadecimal digits. */
const BYTES = new Map(
  HEX.flatMap((high) =>
    HEX.map((low) => [high + low, String.fromCharCode(Number.parseInt(high + low, 16))]),
  ),
);

/**
 * Reads `application/x-www-form-urlencoded` (URL Standard, section 5.1) into pairs: flat, in order, every
 * name as it is. Brackets mean nothing.
 * @param charset from the Content-Type, if it names one
 * @throws FieldLimitExceeded, UnknownEncoding
 */
export function parseUrlencoded(
  body: Buffer,
  charset: string | null,
  limits: SubmissionLimits,
): [string, string][] {
  const raw: [string, string][] = [];
  for (const part of body.toString('latin1').split('&')) {
    if (part === '') continue;
    if (raw.length === limits.maxFields) throw limits.tooManyFields();
    const equals = part.indexOf('=');
    raw.push(
      equals < 0
        ? [unescape(part), '']
        : [unescape(part.slice(0, equals)), unescape(part.slice(equals + 1))],
    );
  }
  return decodePairs(raw, charset, limits);
}

/** Decodes percent-encoding; the result has one character a byte. */
function unescape(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  let result = '';
  let from = 0;
  for (let at = spaced.indexOf('%'); at >= 0; at = spaced.indexOf('%', at + 1)) {
    const byte = BYTES.get(spaced.slice(at + 1, at + 3));
    if (byte === undefined) continue;
    result += spaced.slice(from, at) + byte;
    from = at + 3;
  }
  return result + spaced.slice(from);
}
