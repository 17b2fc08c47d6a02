import { isIP } from 'node:net';

const GROUPS_V6 = 8;
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
  if (version === 4)
    return `4${address
      .split('.')
      .map((part) => binary(Number(part), 8))
      .join('')}`;
  if (version !== 6 || address.includes('%')) return null;
  // A URL has the address in one spelling, without the dotted end that IPv6 allows.
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const [before, after] = [head, tail].map((side) =>
    side.split(':').filter((group) => group !== ''),
  );
  const given = [...(before ?? []), ...(after ?? [])].length;
  const zeros = Array<string>(GROUPS_V6 - given).fill('0');
  const groups = [...(before ?? []), ...zeros, ...(after ?? [])];
  return `6${groups.map((group) => binary(Number.parseInt(group, 16), 16)).join('')}`;
}

function binary(value: number, length: number): string {
  return value.toString(2).padStart(length, '0');
}
