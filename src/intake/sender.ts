import type { IncomingMessage } from 'node:http';
import { isIP, isIPv4 } from 'node:net';
import proxyaddr from 'proxy-addr';
import type { Config } from '../config/config.js';
import type { Sender } from '../submissions/submission.entity.js';
import { pageOrigin } from './spam-verdict.js';

const ORIGIN_MAX = 255;
const REFERER_MAX = 2048;
const USER_AGENT_MAX = 512;
/** What is kept of an address that is truncated: a network, not a household. */
const IPV4_KEPT_BYTES = 3;
const IPV6_KEPT_GROUPS = 3;
const IPV6_GROUPS = 8;
const IPV6_NETWORK_GROUPS = 4;

/**
 * The visitor's address, as far as the trusted proxies vouch for it. What a proxy hands on need not
 * be an address; then the nearest one counts. Empty when the connection is gone already.
 */
export function addressOf(request: IncomingMessage, config: Config): string {
  const told = proxyaddr.all(request, config.trustedProxies).map(plainAddress);
  return told.findLast((address) => isIP(address) !== 0) ?? '';
}

/** Without a zone; IPv4 addresses of a socket for both families are written as IPv6. */
function plainAddress(address: string | undefined): string {
  return (address ?? '').replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
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

/** What is kept of where a submission came from. */
export function senderOf(request: IncomingMessage, address: string, config: Config): Sender {
  const { origin, referer } = request.headers;
  return {
    origin: pageOrigin(origin, referer)?.slice(0, ORIGIN_MAX) ?? null,
    referer: referer?.slice(0, REFERER_MAX) ?? null,
    userAgent: request.headers['user-agent']?.slice(0, USER_AGENT_MAX) ?? null,
    address: keptAddress(address, config.storeIp),
  };
}

function keptAddress(address: string, how: Config['storeIp']): string | null {
  if (how === 'none' || address === '') return null;
  return how === 'full' ? address : truncate(address);
}

/** `203.0.113.7` becomes `203.0.113.0`; `2001:db8:1:2::3` becomes `2001:db8:1::`. */
function truncate(address: string): string {
  if (isIPv4(address)) {
    const kept = address.split('.').slice(0, IPV4_KEPT_BYTES);
    return [...kept, '0'].join('.');
  }
  const [head = ''] = address.split('::');
  const groups = head.split(':').slice(0, IPV6_KEPT_GROUPS);
  return `${groups.filter((group) => group !== '').join(':')}::`;
}
