import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyaddr from 'proxy-addr';
import type { Config } from '../config/config.js';

const IPV6_GROUPS = 8;
const IPV6_NETWORK_GROUPS = 4;

/**
 * The visitor's address, as far as the trusted proxies vouch for it. What a proxy hands on need not
 * be an address; then the nearest one counts. Empty when the connection is gone already.
 */
export function addressOf(request: IncomingMessage, config: Config): string {
  if (config.trustProxy === 'off') return plainAddress(request.socket.remoteAddress);
  const named = proxyaddr.all(request, config.trustedProxies).map(plainAddress);
  return named.findLast((address) => isIP(address) !== 0) ?? '';
}

/** Without a zone; IPv4 addresses of a socket for both families are written as IPv6. */
export function plainAddress(address: string | undefined): string {
  return (address ?? '').replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*/s, '');
}

/** Whoever has an IPv6 address has all of its network of 64 bits; an IPv4 address stands for itself. */
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
