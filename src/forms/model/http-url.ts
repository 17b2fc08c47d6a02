import { parseUrl } from '../../platform/kernel/text/parse-url.js';

export const URL_MAX_LENGTH = 2048;

/**
 * Reads an absolute http or https URL without user and password.
 * @returns the URL as it was written, without surrounding blanks, or null. Blanks, control
 *   characters and backslashes inside are refused: URL parsers drop or rewrite them silently.
 */
export function parseHttpUrl(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const text = value.trim();
  if (text.length > URL_MAX_LENGTH || !/^https?:\/\/[^/\s\\]/i.test(text)) return null;
  const url = /[\s\\\p{Cc}]/u.test(text) ? null : parseUrl(text);
  return url?.username === '' && url.password === '' ? text : null;
}
