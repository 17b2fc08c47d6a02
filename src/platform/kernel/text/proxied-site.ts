import { domainToASCII, domainToUnicode } from 'node:url';

/** Hosts of services that show pages of other sites, each below a label that stands for the host of the site. */
const PROXIED =
  /^([a-z\d]|[a-z\d][a-z\d-]{0,61}[a-z\d])\.(?:translate\.goog|cdn\.ampproject\.org|bing-amp\.com)$/;
/** A host with a dot whose labels neither begin nor end with a hyphen. */
const HOST = /^(?!-)[^.]+(?<!-)(?:\.(?!-)[^.]+(?<!-))+$/;

/**
 * Returns the host of the site whose page a host shows: Google Translate and AMP caches write its dots as hyphens and its
 * hyphens as two. Any other host is its own site.
 */
export function siteHostOf(host: string): string {
  const label = PROXIED.exec(host)?.[1];
  if (label === undefined) return host;
  const text = domainToUnicode(label);
  const site = text.replace(/--?/g, (hyphens) => (hyphens === '-' ? '.' : '-'));
  // Only what they would make of it stands for it.
  const again = domainToASCII(site.replaceAll('-', '--').replaceAll('.', '-'));
  return HOST.test(site) && again === label ? domainToASCII(site) || host : host;
}

/** Returns the address under its site where a host shows pages of others; the same address anywhere else. */
export function siteAddressOf(address: string): string {
  if (!address.startsWith('https://') || !URL.canParse(address)) return address;
  const url = new URL(address);
  const site = siteHostOf(url.hostname);
  if (site === url.hostname || url.port !== '') return address;
  return `https://${site}${address.slice(url.origin.length)}`;
}
