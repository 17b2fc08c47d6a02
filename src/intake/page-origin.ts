/** Headers whose origin is remembered: to find it out costs more than to read a form. */
const KNOWN_MAX = 1_000;
/** Longer headers, in characters, are not remembered: they would fill the memory. */
const KNOWN_LENGTH_MAX = 512;

const known = new Map<string, string | null>();

/**
 * Where the page says it is: the Origin header, or without one the origin of the Referer; null when it
 * does not say. A browser that sends `Origin: null` has been told not to say.
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
