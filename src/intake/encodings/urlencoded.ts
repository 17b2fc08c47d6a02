import type { TextDecoder } from 'node:util';
import type { SubmissionLimits } from './submission-limits.js';
import { CHARSET_FIELD, decodeFormText, decoderFor } from './charset.js';

/**
 * Decodes names and values that have one character a byte, and checks the limits.
 * @param declared the charset of the Content-Type, if it names one; else a field `_charset_` may
 * @throws FieldLimitExceeded
 */
export function decodePairs(
  raw: readonly (readonly [string, string])[],
  declared: TextDecoder | null,
  limits: SubmissionLimits,
): [string, string][] {
  const decoder = declared ?? decoderFor(raw.find(([name]) => name === CHARSET_FIELD)?.[1]);
  return raw.map(([bytes, value]) => {
    const name = decodeFormText(limits.checkName(bytes), decoder);
    return [name, decodeFormText(limits.checkValue(name, value), decoder)];
  });
}

/** The value of each hexadecimal digit, by its code. */
const DIGITS = new Int8Array(128).fill(-1);

for (const digit of '0123456789abcdefABCDEF') {
  DIGITS[digit.charCodeAt(0)] = Number.parseInt(digit, 16);
}

/** The characters of all bytes. */
const BYTES = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte));

/**
 * Reads `application/x-www-form-urlencoded` (URL Standard, section 5.1) into pairs: flat, in order, every
 * name as it is. Brackets mean nothing.
 * @param declared the charset of the Content-Type, if it names one
 * @throws FieldLimitExceeded
 */
export function parseUrlencoded(
  body: Buffer,
  declared: TextDecoder | null,
  limits: SubmissionLimits,
): [string, string][] {
  const raw: [string, string][] = [];
  for (const part of body.toString('latin1').split('&')) {
    if (part === '') continue;
    if (raw.length === limits.maxFields) throw limits.tooManyFields();
    const equals = part.indexOf('=');
    raw.push(equals < 0 ? [unescape(part), ''] : [unescape(part.slice(0, equals)), unescape(part.slice(equals + 1))]);
  }
  return decodePairs(raw, declared, limits);
}

/** Decodes percent-encoding; the result has one character a byte. */
function unescape(text: string) {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  let result = '';
  let from = 0;
  for (let at = spaced.indexOf('%'); at >= 0; at = spaced.indexOf('%', at + 1)) {
    const high = DIGITS[spaced.charCodeAt(at + 1)] ?? -1;
    const low = DIGITS[spaced.charCodeAt(at + 2)] ?? -1;
    if (high < 0 || low < 0) continue;
    result += spaced.slice(from, at) + (BYTES[16 * high + low] ?? '');
    from = at + 3;
  }
  return result + spaced.slice(from);
}
