import { isEmail } from 'class-validator';
import { domainToASCII, domainToUnicode } from 'node:url';

/** Longest address that SMTP can carry (RFC 5321, section 4.5.3.1.3, less the angle brackets). */
const EMAIL_MAX_LENGTH = 254;

/**
 * Matches most addresses, and only such as the library takes, which would take thirty times as long: letters and
 * digits with some marks between. It says nothing about lengths, so it counts up to PLAIN_MAX_LENGTH alone.
 */
const PLAIN = /^[\w+-]+(?:\.[\w+-]+)*@(?:[a-z\d]+(?:-+[a-z\d]+)*\.)+[a-z]{2,}$/i;
/** No part of an address up to this length is longer than a part may be, in characters. */
const PLAIN_MAX_LENGTH = 64;

/**
 * Reads one plain email address: no display name, no quoted local part, no group, no list.
 * @returns the address without surrounding blanks and its domain in lower case, or null
 */
export function parseEmailAddress(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  // Most values are no address.
  if (!value.includes('@')) return null;
  const address = value.trim();
  return isPlain(address) || isAddress(address) ? withLowerDomain(address) : null;
}

function isPlain(address: string) {
  return address.length <= PLAIN_MAX_LENGTH && PLAIN.test(address);
}

function isAddress(address: string) {
  // The library encodes it as a URL, which throws on half of a surrogate pair.
  if (address.length > EMAIL_MAX_LENGTH || !address.isWellFormed()) return false;
  // Blanks, commas, brackets and the like are only possible within quotes.
  return isEmail(address, { blacklisted_chars: '"' });
}

function withLowerDomain(address: string) {
  const at = address.lastIndexOf('@');
  return address.slice(0, at) + address.slice(at).toLowerCase();
}

/** Tells whether two addresses lead to one mailbox, whatever tag each has, such as `jane+shop@example.com`. */
export function isSameMailbox(one: string, other: string) {
  return withoutTag(one) === withoutTag(other);
}

function withoutTag(address: string) {
  const at = address.lastIndexOf('@');
  const [local = ''] = address.slice(0, at).split('+', 1);
  return `${local}${address.slice(at)}`.toLowerCase();
}

/** Longest list of addresses, in characters. */
const EMAIL_LIST_MAX_LENGTH = 2000;

/**
 * Reads a comma-separated list of addresses.
 * @returns the list as `a@x,b@y` without repetitions; null when it is too long or any part is not an
 *   address
 */
export function parseEmailList(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > EMAIL_LIST_MAX_LENGTH) return null;
  const addresses = value.split(',').map(parseEmailAddress);
  return addresses.includes(null) ? null : [...new Set(addresses)].join(',');
}

/** Longest text that is read, in characters: a name, an address and some more. */
const TYPED_MAX = 1_000;
/** Most parts of a list that are read. */
const PARTS_MAX = 20;
/** Mail services of Japan whose addresses may have dots in a row, and one before the `@`. */
const DOTTED = new Set(['docomo.ne.jp', 'ezweb.ne.jp']);
/** Marks before an address and behind it, which are none of its characters. */
const BEFORE = new Set(' \t\r\n<("\'[');
const BEHIND = new Set(' \t\r\n>)"\'].,;:!?');

/**
 * Reads the email address that somebody typed into a field: also with a name before it, as a link, with full-width
 * characters, with a comma or a dot behind it, and the first of a list. A sentence with an address in it is none.
 * @returns null when there is none
 */
export function typedAddress(text: string): string | null {
  const plain = parseEmailAddress(text);
  if (plain !== null || text.length > TYPED_MAX) return plain;
  // Most values are no address.
  if (!text.includes('@') && !text.includes('＠')) return null;
  const half = halfWidth(text).trim();
  const angled = half.split('>', PARTS_MAX).filter((part) => part.trim() !== '');
  if (half.includes('<')) return firstOf(angled.map(inAngles));
  const parts = half.split(/[,;\s]+/, PARTS_MAX).filter((part) => stripped(part) !== '');
  return firstOf(parts.map(addressIn)) ?? beforeName(half);
}

/** Returns the address of `Jane <jane@example.com`, the closing bracket left out; null for anything else. */
function inAngles(part: string) {
  const [name = '', ...addresses] = part.split('<');
  if (/[\r\n]/.test(name.trim())) return null;
  const [address = ''] = addresses;
  // What follows the last address ends a list.
  if (addresses.length === 0 && stripped(part) === '') return '';
  return addresses.length === 1 ? addressIn(address) : null;
}

/** Returns the address of `jane@example.com (Jane Doe)`. */
function beforeName(text: string) {
  const [address = '', name, ...more] = text.split('(');
  return name?.trimEnd().endsWith(')') && more.length === 0 ? addressIn(address) : null;
}

/** Returns the first of a list of which each part is an address; null for any other. */
function firstOf(parts: readonly (string | null)[]) {
  return parts.includes(null) ? null : (parts.find((part) => part !== '') ?? null);
}

function addressIn(part: string) {
  const text = stripped(part);
  const [address = ''] = /^mailto:/i.test(text) ? text.slice('mailto:'.length).split('?') : [text];
  return parseEmailAddress(address) ?? dottedAddress(address);
}

function dottedAddress(text: string) {
  const at = text.lastIndexOf('@');
  const domain = text.slice(at + 1).toLowerCase();
  if (!DOTTED.has(domain)) return null;
  const local = text.slice(0, at);
  const usual = local.replace(/\.+/g, '.').replace(/^\.|\.$/g, '');
  return parseEmailAddress(`${usual}@${domain}`) && `${local}@${domain}`;
}

function stripped(text: string) {
  let [from, to] = [0, text.length];
  while (from < to && BEFORE.has(text.charAt(from))) from++;
  while (to > from && BEHIND.has(text.charAt(to - 1))) to--;
  return text.slice(from, to);
}

/** Writes full-width characters, as Asian keyboards do them, as ASCII. */
function halfWidth(text: string) {
  return text
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/[。｡]/g, '.')
    .replace(/\u3000/g, ' ');
}

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
export function siteHostOf(host: string) {
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
export function siteAddressOf(address: string) {
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
export function decodedPart(text: string) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Matches most hosts, and only such as a parser of URLs leaves as they are, which takes ten times as long: lower-case
 * letters, digits and hyphens, and a last part that is no number.
 */
const PLAIN_HOST = /^(?!.*xn--)(?:[a-z\d-]+\.)+[a-z]+$/;
const PLAIN_ORIGIN = /^https?:\/\/(?!.*xn--)(?:[a-z\d-]+\.)+[a-z]+$/;

/** Tells of a host that it is written as a URL has it; false where only a parser knows. */
export function isPlainHost(host: string) {
  return PLAIN_HOST.test(host);
}

/** Tells the same of an origin of http or https, without a port. */
export function isPlainOrigin(origin: string) {
  return PLAIN_ORIGIN.test(origin);
}
