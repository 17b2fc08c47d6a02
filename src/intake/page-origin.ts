import { parseWebUrl } from '../platform/kernel/text/parse-url.js';
import { isPlainOrigin } from '../platform/kernel/text/plain-host.js';

/**
 * Returns the origin of the page: the Origin header, or else the origin of the Referer. Null when neither
 * says it. `Origin: null` means that the browser may not say.
 */
export function pageOrigin(origin: string | undefined, referer: string | undefined): string | null {
  const header = origin ?? referer;
  if (header === undefined) return null;
  if (isPlainOrigin(header)) return header;
  return parseWebUrl(header)?.origin ?? null;
}
