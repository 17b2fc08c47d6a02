import { domainToASCII } from 'node:url';
import { typedAddress, isPlainHost } from '../../platform/kernel/text/addresses.js';

/** Addresses of one submission that are looked at. */
const ADDRESSES_MAX = 3;
/** Longer values are no address, in characters. */
const ADDRESS_MAX = 254;

/** Returns the domains of the addresses that are a value as a whole, each once and in ASCII. */
export function senderDomains(fields: readonly { text: string }[]): string[] {
  const found = new Set<string>();
  for (const { text } of fields) {
    if (found.size === ADDRESSES_MAX) break;
    if (text.length > ADDRESS_MAX) continue;
    const address = typedAddress(text);
    if (address === null) continue;
    const domain = address.slice(address.lastIndexOf('@') + 1);
    found.add(isPlainHost(domain) ? domain : domainToASCII(domain));
  }
  return [...found];
}
