import { parseUrl } from '../platform/kernel/text/parse-url.js';

const HERE = 'http://here.invalid';

/**
 * Reads the path of this service to continue at, such as from `?next=`.
 * @returns path and query in their normal form; null for what leads elsewhere, such as `//evil.example`
 */
export function parseLocalPath(value: unknown): string | null {
  if (typeof value !== 'string' || !/^\/(?![/\\])[\x21-\x7e]*$/.test(value)) return null;
  const url = value.includes('\\') ? null : parseUrl(value, HERE);
  if (!url) return null;
  const { origin, pathname, search } = url;
  return origin === HERE && !pathname.startsWith('//') ? pathname + search : null;
}
