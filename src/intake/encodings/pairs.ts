import type { TextDecoder } from 'node:util';
import { CHARSET_FIELD, decodeFormText, decoderFor } from './charset.js';
import type { SubmissionLimits } from './submission-limits.js';

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
