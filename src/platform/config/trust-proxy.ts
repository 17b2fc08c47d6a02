import proxyaddr from 'proxy-addr';

/** Most proxies in a row: more is probably a port or a year. */
const MAX_HOPS = 10;

/** Tells whether the proxy of this address, `index` hops away, may name the client in X-Forwarded-For. */
export type TrustedProxies = (address: string, index: number) => boolean;

/**
 * Reads which proxies are trusted: `off`, a number of hops from 1 to 10, or CIDR blocks separated by
 * commas.
 * @returns null for anything else
 */
export function parseTrustProxy(text: string): TrustedProxies | null {
  if (text === 'off') return () => false;
  if (/^\d{1,2}$/.test(text)) {
    const hops = Number(text);
    return hops >= 1 && hops <= MAX_HOPS ? (_, index) => index < hops : null;
  }
  try {
    return proxyaddr.compile(text.split(',').map((block) => block.trim()));
  } catch {
    return null;
  }
}
