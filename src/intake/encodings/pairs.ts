import { CHARSET_FIELD, decodeText, decoderFor } from './charset.js';
import type { SubmissionLimits } from './submission-limits.js';

/**
 * Decodes names and values that have one character a byte, and checks the limits.
 * @param charset from the Content-Type, if it names one; else a field `_charset_` may
 * @throws FieldLimitExceeded, UnknownEncoding
 */
export function decodePairs(
  raw: readonly (readonly [string, string])[],
  charset: string | null,
  limits: SubmissionLimits,
): [string, string][] {
  const declared = charset ?? raw.find(([name]) => name === CHARSET_FIELD)?.[1];
  const decoder = declared === undefined || declared === '' ? null : decoderFor(declared);
  return raw.map(([bytes, value]) => {
    const name = decodeText(limits.checkName(bytes), decoder);
    return [name, decodeText(limits.checkValue(name, value), decoder)];
  });
}
