import ipaddr from 'ipaddr.js';
import { Resolver } from 'node:dns';
import proxyaddr from 'proxy-addr';
import { commaList } from '../kernel/text/comma-list.js';

/** A block of addresses: its first address and the length of its prefix in bits. */
export type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Reads CIDR blocks or single addresses, separated by commas; null when one is neither. */
export function parseNetworks(text: string): Network[] | null {
  return orNull(() => commaList(text).map(parseNetwork));
}

function parseNetwork(block: string): Network {
  if (block.includes('/')) return ipaddr.parseCIDR(block);
  const address = ipaddr.parse(block);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/** Most proxies in a row: more is probably a port or a year. */
const MAX_HOPS = 10;

/** Tells whether the proxy of this address, `index` hops away, may name the client in X-Forwarded-For. */
export type TrustedProxies = (address: string, index: number) => boolean;

/** Trusts no proxy. */
export const NO_PROXIES: TrustedProxies = () => false;

/**
 * Reads which proxies are trusted: `off`, a number of hops from 1 to 10, or CIDR blocks separated by
 * commas.
 * @returns null for anything else
 */
export function parseTrustProxy(text: string): TrustedProxies | null {
  if (text === 'off') return NO_PROXIES;
  if (/^\d{1,2}$/.test(text)) {
    const hops = Number(text);
    return hops >= 1 && hops <= MAX_HOPS ? (_, index) => index < hops : null;
  }
  return orNull(() => proxyaddr.compile(text.split(',').map((block) => block.trim())));
}

/** Reads addresses of DNS servers with optional ports, separated by commas; null when one is none. */
export function parseDnsServers(text: string): string[] | null {
  const servers = commaList(text);
  return orNull(() => {
    new Resolver().setServers(servers);
    return servers;
  });
}

function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
