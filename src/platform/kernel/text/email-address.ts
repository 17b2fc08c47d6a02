import { isEmail } from 'class-validator';

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

function isPlain(address: string): boolean {
  return address.length <= PLAIN_MAX_LENGTH && PLAIN.test(address);
}

function isAddress(address: string): boolean {
  // The library encodes it as a URL, which throws on half of a surrogate pair.
  if (address.length > EMAIL_MAX_LENGTH || !address.isWellFormed()) return false;
  // Blanks, commas, brackets and the like are only possible within quotes.
  return isEmail(address, { blacklisted_chars: '"' });
}

function withLowerDomain(address: string): string {
  const at = address.lastIndexOf('@');
  return address.slice(0, at) + address.slice(at).toLowerCase();
}

/** Tells whether two addresses lead to one mailbox, whatever tag each has, such as `jane+shop@example.com`. */
export function isSameMailbox(one: string, other: string): boolean {
  return withoutTag(one) === withoutTag(other);
}

function withoutTag(address: string): string {
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
