import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';

/** Leading parts of an IPv4 address, such as `203.0.113.*`. */
const STARRED = /^((?:\d{1,3}\.){1,3})\*$/;

/**
 * Returns the bits of a network as `0` and `1`, behind the version of the protocol: addresses within it begin
 * with the same.
 * @param text an address, `203.0.113.0/24`, `2001:db8::/32` or `203.0.113.*`
 * @returns null when it is none
 */
export function networkBits(text: string): string | null {
  const [, parts] = STARRED.exec(text) ?? [];
  if (parts !== undefined) {
    const given = parts.split('.').length - 1;
    return networkBits(`${parts}${'0.'.repeat(3 - given)}0/${8 * given}`);
  }
  const [address = '', length, ...rest] = text.split('/');
  const bits = bitsOf(address);
  if (bits === null || length === undefined) return bits;
  if (rest.length > 0 || !/^\d{1,3}$/.test(length) || Number(length) >= bits.length) return null;
  return bits.slice(0, 1 + Number(length));
}

function bitsOf(address: string): string | null {
  const version = isIP(address);
  if (version === 0 || address.includes('%')) return null;
  const bytes = ipaddr.parse(address).toByteArray();
  return `${version}${bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('')}`;
}
