import { DomainListFull } from './form.errors.js';
import { parseUrl, parseWebUrl } from '../../platform/kernel/text/parse-url.js';

const LABEL = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
const HOST = new RegExp(`^(?:\\*\\.)?${LABEL}(?:\\.${LABEL})*$`);
const DOMAIN_LIST_MAX_LENGTH = 2000;
/** Longest entry that is read, in characters: a scheme, a name of 253 and a port, and room for international names. */
const ENTRY_MAX_LENGTH = 300;
/** An entry and its comma are at least two characters. */
const MAX_ENTRIES = DOMAIN_LIST_MAX_LENGTH / 2;

/**
 * Reads the origins a form may be sent from: hosts (`example.com`), all hosts below one
 * (`*.example.com`) and origins (`https://www.example.com:8080`), comma-separated or as an array.
 * @returns the list as `a,b,c`: lower case, international names as punycode, without repetitions;
 *   null when any part is none of these
 */
export function parseDomainList(value: unknown): string | null {
  const parts = typeof value === 'string' ? value.split(',') : value;
  if (!Array.isArray(parts) || parts.length === 0 || parts.length > MAX_ENTRIES) return null;
  const entries = parts.map(parseEntry);
  const list = [...new Set(entries)].join(',');
  return entries.includes(null) || list.length > DOMAIN_LIST_MAX_LENGTH ? null : list;
}

/** Reads one entry of such a list; null when it is none. */
export function parseDomain(value: unknown): string | null {
  return parseEntry(value);
}

/** Returns the entry that lets a list allow an origin: its host, or the origin where the host can be none. */
export function domainOf(origin: string): string | null {
  const url = parseUrl(origin);
  if (!url) return null;
  return parseHost(url.hostname.replace(/\.$/, '')) ?? parseOrigin(origin);
}

/**
 * Returns a list with one more entry. One that is null allows every domain, and stays so.
 * @throws DomainListFull
 */
export function withDomain(list: string | null, domain: string): string | null {
  if (list === null || list.split(',').includes(domain)) return list;
  const longer = `${list},${domain}`;
  if (longer.length > DOMAIN_LIST_MAX_LENGTH) throw new DomainListFull(DOMAIN_LIST_MAX_LENGTH);
  return longer;
}

function parseEntry(part: unknown): string | null {
  if (typeof part !== 'string' || part.length > ENTRY_MAX_LENGTH) return null;
  const text = part.trim();
  return text.includes('://') ? parseOrigin(text) : parseHost(text);
}

function parseOrigin(text: string): string | null {
  const url = parseWebUrl(text);
  if (!url) return null;
  const { origin, href } = url;
  return href === `${origin}/` && !origin.includes('*') ? origin : null;
}

function parseHost(text: string): string | null {
  const wildcard = text.startsWith('*.') ? '*.' : '';
  const address = `http://${text.slice(wildcard.length)}`;
  const url = parseUrl(address);
  if (!url) return null;
  const { host, hostname, href } = url;
  const plain = href === `http://${host}/` && host === hostname;
  return plain && HOST.test(wildcard + hostname) ? wildcard + hostname : null;
}
