import { domainToASCII, domainToUnicode } from 'node:url';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Reads an address. `URL.canParse` of Node 20 and 22 comes to refuse addresses with letters such as ä once it has run
 * often.
 * @param base of relative addresses
 * @returns null for what is no address, or no text
 */
export function parseUrl(text: unknown, base?: string | URL): URL | null {
  if (typeof text !== 'string') return null;
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

/** Reads an address of http or https. @returns null for any other */
export function parseWebUrl(text: unknown, base?: string | URL): URL | null {
  const url = parseUrl(text, base);
  return url && /^https?:$/.test(url.protocol) ? url : null;
}

/** Reads an address to which secrets may go: of https, or of http on this machine. @returns null for any other */
export function parseSecureUrl(text: unknown): URL | null {
  const url = parseWebUrl(text);
  return url?.protocol === 'https:' || LOOPBACK.has(url?.hostname ?? '') ? url : null;
}

/** Services that show pages of other sites, each below a label that stands for the host of the site. */
const SHOWING = ['translate.goog', 'cdn.ampproject.org', 'bing-amp.com'];
/** A host with a dot whose labels neither begin nor end with a hyphen. */
const HOST = /^(?!-)[^.]+(?<!-)(?:\.(?!-)[^.]+(?<!-))+$/;

/**
 * Returns the host of the site whose page a host shows: Google Translate and AMP caches write its dots as hyphens and its
 * hyphens as two. Any other host is its own site.
 */
export function siteHostOf(host: string): string {
  const dot = host.indexOf('.');
  const label = host.slice(0, dot);
  if (!SHOWING.includes(host.slice(dot + 1))) return host;
  const text = domainToUnicode(label);
  const site = text.replace(/--?/g, (hyphens) => (hyphens === '-' ? '.' : '-'));
  // Only what they would make of it stands for it.
  const again = domainToASCII(site.replaceAll('-', '--').replaceAll('.', '-'));
  return HOST.test(site) && again === label ? domainToASCII(site) || host : host;
}

/** Returns the address under its site where a host shows pages of others; the same address anywhere else. */
export function siteAddressOf(address: string): string {
  // Nearly all are their own site, which is told without reading them as addresses.
  const lower = address.toLowerCase();
  if (!SHOWING.some((service) => lower.includes(service))) return address;
  const url = address.startsWith('https://') ? parseUrl(address) : null;
  if (!url) return address;
  const site = siteHostOf(url.hostname);
  if (site === url.hostname || url.port !== '') return address;
  return `https://${site}${address.slice(url.origin.length)}`;
}

/** Returns a part of an address without its percent-encoding; as it stands where that is none. */
export function decodedPart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
