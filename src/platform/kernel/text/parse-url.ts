const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

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

/** Reads an address of http or https. @returns null for any other */
export function parseWebUrl(text: unknown, base?: string | URL): URL | null {
  const url = parseUrl(text, base);
  return url && /^https?:$/.test(url.protocol) ? url : null;
}

/** Reads an address to which secrets may go: of https, or of http on this machine. @returns null for any other */
export function parseSecureUrl(text: unknown): URL | null {
  const url = parseWebUrl(text);
  return url?.protocol === 'https:' || LOOPBACK.has(url?.hostname ?? '') ? url : null;
}
