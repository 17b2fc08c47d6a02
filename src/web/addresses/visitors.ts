import { parseEmailAddress } from '../../platform/kernel/text/email-address.js';

/** Returns the path of what a visitor sent; null when the text is no email address. */
export function visitorPath(text: string): string | null {
  const address = parseEmailAddress(text);
  return address === null ? null : `/visitors/${encodeURIComponent(address.toLowerCase())}`;
}
