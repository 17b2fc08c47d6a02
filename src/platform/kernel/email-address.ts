import { isEmail } from 'class-validator';

/** Longest address that SMTP can carry (RFC 5321, section 4.5.3.1.3, less the angle brackets). */
const EMAIL_MAX_LENGTH = 254;

/**
 * Reads one plain e-mail address: no display name, no quoted local part, no group, no list.
 * @returns the address without surrounding blanks and its domain in lower case, or null
 */
export function parseEmailAddress(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const address = value.trim();
  // The library encodes it as a URL, which throws on half of a surrogate pair.
  if (address.length > EMAIL_MAX_LENGTH || !address.isWellFormed()) return null;
  // Blanks, commas, brackets and the like are only possible within quotes.
  if (!isEmail(address, { blacklisted_chars: '"' })) return null;
  const at = address.lastIndexOf('@');
  return address.slice(0, at) + address.slice(at).toLowerCase();
}

/** Longest list of addresses, in characters. */
export const EMAIL_LIST_MAX_LENGTH = 2000;

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
