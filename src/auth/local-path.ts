const HERE = 'http://here.invalid';

/**
 * Reads the path of this service to continue at, such as from `?next=`.
 * @returns path and query in their normal form; null for what leads elsewhere, such as `//evil.example`
 */
export function parseLocalPath(value: unknown): string | null {
  if (typeof value !== 'string' || !/^\/(?![/\\])[\x21-\x7e]*$/.test(value)) return null;
  if (value.includes('\\') || !URL.canParse(value, HERE)) return null;
  const { origin, pathname, search } = new URL(value, HERE);
  return origin === HERE && !pathname.startsWith('//') ? pathname + search : null;
}
