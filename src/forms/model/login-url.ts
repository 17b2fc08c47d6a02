import { parseHttpUrl } from './http-url.js';

/** Shorter passwords are not looked for by themselves, in characters: they are in many words. */
const PASSWORD_MIN = 4;
/** The beginning of an address that has a user, with or without a password; what stands between. */
const LOGIN = /^(https?:\/\/)([^/?#\\]*)@/i;

/** An address that is called, and what proves who calls. */
export interface LoginUrl {
  /** The address without user and password. */
  url: string;
  /** The user and the password as the address has them, `ann:s%40fe`; null for none. */
  login: string | null;
}

/** Takes user and password out of an address. */
export function splitLogin(address: string): LoginUrl {
  const [head = '', scheme = '', login = ''] = LOGIN.exec(address) ?? [];
  if (head === '') return { url: address, login: null };
  const url = scheme + address.slice(head.length);
  return { url, login: login === '' || login === ':' ? null : login };
}

/** Puts them back. */
export function joinLogin({ url, login }: LoginUrl): string {
  return login === null ? url : url.replace(/^https?:\/\//i, (scheme) => `${scheme}${login}@`);
}

/**
 * Reads an absolute http or https URL that may have a user and a password.
 * @returns the URL as it was written, without surrounding blanks; null for none, or what it must be
 */
export function parseLoginUrl(value: unknown): string | null | { must: string } {
  if (typeof value !== 'string') return null;
  const { url, login } = splitLogin(value.trim());
  const read = parseHttpUrl(url);
  if (read === null || login === null) return read;
  const parts = partsOf(login);
  if (!parts || /\p{Cc}/u.test(parts.user + parts.password)) {
    return { must: 'must have user and password percent-encoded, such as s%40fe for s@fe' };
  }
  if (parts.user.includes(':')) {
    return { must: 'must have a user without a colon, which ends the user (RFC 7617)' };
  }
  return joinLogin({ url: read, login });
}

/** Returns the header that sends a user and a password (RFC 7617), in UTF-8. */
export function basicOf(login: string): string {
  const { user = '', password = '' } = partsOf(login) ?? {};
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/** Returns the spellings of a user and a password by which others could read them. */
export function spellingsOf(login: string): string[] {
  const { password = '' } = partsOf(login) ?? {};
  const written = login.slice(login.indexOf(':') + 1);
  const passwords = [password, written].filter(({ length }) => length >= PASSWORD_MIN);
  return [login, basicOf(login).slice('Basic '.length), ...passwords];
}

/** Reads user and password; null for what is not percent-encoded. */
function partsOf(login: string): { user: string; password: string } | null {
  const at = login.indexOf(':');
  const [user, password] = at < 0 ? [login, ''] : [login.slice(0, at), login.slice(at + 1)];
  try {
    return { user: decodeURIComponent(user), password: decodeURIComponent(password) };
  } catch {
    return null;
  }
}
