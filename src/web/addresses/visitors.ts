import { typedAddress } from '../../platform/kernel/text/addresses.js';

/** Returns the path of what a visitor sent; null when the text holds no email address. */
export function visitorPath(text: string): string | null {
  const address = typedAddress(text);
  return address === null ? null : `/visitors/${encodeURIComponent(address.toLowerCase())}`;
}
