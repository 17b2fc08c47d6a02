/**
 * Reads an address. `URL.canParse` of Node 20 and 22 comes to refuse addresses with letters such as ä once it has run
 * often.
 * @param base of relative addresses
 * @returns null for what is no address, or no text
 */
export function parseUrl(text: unknown, base?: string | URL): URL | null {
  if (typeof text !== 'string') return null;
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
