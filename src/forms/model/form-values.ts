import { DomainListFull } from './form.errors.js';
import { parseUrl, parseWebUrl } from '../../platform/index.js';

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

function parseEntry(part: unknown) {
  if (typeof part !== 'string' || part.length > ENTRY_MAX_LENGTH) return null;
  const text = part.trim();
  return text.includes('://') ? parseOrigin(text) : parseHost(text);
}

function parseOrigin(text: string) {
  const url = parseWebUrl(text);
  if (!url) return null;
  const { origin, href } = url;
  return href === `${origin}/` && !origin.includes('*') ? origin : null;
}

function parseHost(text: string) {
  const wildcard = text.startsWith('*.') ? '*.' : '';
  const address = `http://${text.slice(wildcard.length)}`;
  const url = parseUrl(address);
  if (!url) return null;
  const { host, hostname, href } = url;
  const plain = href === `http://${host}/` && host === hostname;
  return plain && HOST.test(wildcard + hostname) ? wildcard + hostname : null;
}

export const URL_MAX_LENGTH = 2048;

/**
 * Reads an absolute http or https URL without user and password.
 * @returns the URL as it was written, without surrounding blanks, or null. Blanks, control
 *   characters and backslashes inside are refused: URL parsers drop or rewrite them silently.
 */
export function parseHttpUrl(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const text = value.trim();
  if (text.length > URL_MAX_LENGTH || !/^https?:\/\/[^/\s\\]/i.test(text)) return null;
  const url = /[\s\\\p{Cc}]/u.test(text) ? null : parseUrl(text);
  return url?.username === '' && url.password === '' ? text : null;
}

/** Longest name of a field, in characters. */
export const FIELD_NAME_MAX = 255;

/** Returns the text that is stored: a JSON array; null for a choice by the names of the fields. */
export function encodePreview(fields: readonly string[] | null): string | null {
  return fields === null ? null : JSON.stringify(fields);
}

/** Reads the choice that `encodePreview` wrote; null for none, also where something was learnt instead. */
export function decodePreview(text: string | null): string[] | null {
  const read = parsed(text);
  return Array.isArray(read) ? read : null;
}

/** Which fields tell most of submissions, as they themselves showed. */
export interface LearntPreview {
  /** How many submissions the form had then. */
  at: number;
  fields: string[];
}

/** Returns the text that is stored where nobody has chosen: what was learnt, in the place of a choice. */
export function encodeLearnt({ at, fields }: LearntPreview) {
  return JSON.stringify({ at, fields });
}

/** Reads what `encodeLearnt` wrote; null where nothing was learnt, or somebody has chosen. */
export function decodeLearnt(text: string | null): LearntPreview | null {
  const read = parsed(text);
  return read === null || Array.isArray(read) ? null : read;
}

/** Numbers of submissions at which is learnt; behind the last one, each so many more. */
const LEARNT_AT = [10, 50];
const LEARNT_EVERY = 500;
/** Fewest submissions from which something is learnt. */
export const LEARNT_FROM = 10;

/** Tells whether it is time to learn from what a form has; a choice is never replaced. */
export function isLearningDue(text: string | null, count: number) {
  if (count < LEARNT_FROM || decodePreview(text)) return false;
  const learnt = decodeLearnt(text);
  // A copy knows what the form knew that it is of, and a form may have lost most of what it had.
  if (!learnt || count < learnt.at / 2) return true;
  const next = LEARNT_AT.find((each) => each > learnt.at) ?? learnt.at + LEARNT_EVERY;
  return count >= next;
}

function parsed(text: string | null) {
  return text === null ? null : (JSON.parse(text) as string[] | LearntPreview);
}

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
export function joinLogin({ url, login }: LoginUrl) {
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
export function basicOf(login: string) {
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
function partsOf(login: string) {
  const at = login.indexOf(':');
  const [user, password] = at < 0 ? [login, ''] : [login.slice(0, at), login.slice(at + 1)];
  try {
    return { user: decodeURIComponent(user), password: decodeURIComponent(password) };
  } catch {
    return null;
  }
}

/** Longest tag, in characters; its mark has to fit into the column. */
export const TAG_MAX = 40;
/** Most statuses of a form. */
export const STATUSES_MAX = 10;

/** Returns a tag in its normal form: lower case, single blanks; null for what is none. */
export function parseTag(value: unknown): string | null {
  if (typeof value !== 'string' || !value.isWellFormed()) return null;
  const tag = value.trim().toLowerCase().replace(/\s+/g, ' ');
  return tag !== '' && Array.from(tag).length <= TAG_MAX && !/[",]/.test(tag) ? tag : null;
}

/** Returns tags separated by commas, in their normal form and without repetitions; null for what is no such list. */
export function parseStatuses(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const tags = new Set(value.split(',', STATUSES_MAX + 1).map(parseTag));
  return tags.has(null) || tags.size > STATUSES_MAX ? null : [...tags].join(',');
}

/** Returns the statuses that a form has; empty for none. */
export function statusesOf({ statuses }: { statuses: string | null }): string[] {
  return statuses?.split(',') ?? [];
}
