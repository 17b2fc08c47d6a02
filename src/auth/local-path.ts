const HERE = 'http://here.invalid';

/**
 * Reads where to go on, as a path of this service.
 * @returns path and query in their normal form; null for what leads elsewhere, such as `//evil.example`
 */
export function parseLocalPath(value: unknown): string | null {
  if (typeof value !== 'string' || !/^\/(?![/\\])[\x21-\x7e]*$/.test(value)) return null;
  if (value.includes('\\') || !URL.canParse(value, HERE)) return null;
  const { origin, pathname, search } = new URL(value, HERE);
  return origin === HERE && !pathname.startsWith('//') ? pathname + search : null;
}
