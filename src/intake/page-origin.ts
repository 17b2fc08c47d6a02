/** Most headers whose origin is cached: parsing one costs more than reading a form. */
const KNOWN_MAX = 1_000;
/** Longest header in characters that is cached, so that the cache stays small. */
const KNOWN_LENGTH_MAX = 512;

const known = new Map<string, string | null>();

/**
 * Returns the origin of the page: the Origin header, or else the origin of the Referer. Null when neither
 * says it. `Origin: null` means that the browser may not say.
 */
export function pageOrigin(origin: string | undefined, referer: string | undefined): string | null {
  const header = origin ?? referer;
  if (header === undefined) return null;
  let found = known.get(header);
  if (found === undefined) {
    found = originOf(header);
    if (known.size >= KNOWN_MAX) known.clear();
    if (header.length <= KNOWN_LENGTH_MAX) known.set(header, found);
  }
  return found;
}

function originOf(header: string): string | null {
  try {
    const { protocol, origin } = new URL(header);
    return protocol === 'http:' || protocol === 'https:' ? origin : null;
  } catch {
    return null;
  }
}
