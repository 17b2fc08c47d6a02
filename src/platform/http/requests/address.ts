import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyaddr from 'proxy-addr';
import type { Config } from '../../config/config.js';

const IPV6_GROUPS = 8;
const IPV6_NETWORK_GROUPS = 4;

/**
 * Returns the visitor's address as the trusted proxies name it. A name that is no address is skipped for
 * the nearest one that is. Empty when the connection is closed already.
 */
export function addressOf(request: IncomingMessage, config: Config): string {
  if (config.http.trustProxy === 'off') return plainAddress(request.socket.remoteAddress);
  const named = proxyaddr.all(request, config.http.trustedProxies).map(plainAddress);
  return named.findLast((address) => isIP(address) !== 0) ?? '';
}

/** Returns an address without its zone, and an IPv4 address that a socket writes as IPv6 as IPv4. */
export function plainAddress(address: string | undefined): string {
  return (address ?? '').replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*/s, '');
}

/**
 * Returns the first 64 bits of an IPv6 address, since a subscriber has all of them; an IPv4 address as it
 * is.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const groups = head.split(':').filter((group) => group !== '');
  const missing = tail === undefined ? 0 : IPV6_GROUPS - groups.length - tail.split(':').length;
  const all = [
    ...groups,
    ...Array<string>(Math.max(missing, 0)).fill('0'),
    ...(tail ?? '').split(':'),
  ];
  return all
    .slice(0, IPV6_NETWORK_GROUPS)
    .map((group) => Number.parseInt(group, 16))
    .join(':');
}
