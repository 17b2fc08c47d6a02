import { domainToASCII } from 'node:url';
import { normalise } from '../../platform/kernel/text/normalise.js';
import { networkBits } from './network-bits.js';

/** Longest entry, in characters. */
const ENTRY_MAX = 255;
/** Most words of a phrase. */
const PHRASE_WORDS_MAX = 5;
/** Shortest part of a word or an address beside a star, in characters: less is in nearly every text. */
const STARRED_MIN = 2;

const WORD = "[\\p{L}\\p{N}][\\p{L}\\p{M}\\p{N}]*(?:['’][\\p{L}\\p{M}\\p{N}]+)*";
const PHRASE = new RegExp(`^${WORD}(?: ${WORD}){0,${PHRASE_WORDS_MAX - 1}}$`, 'u');
const ONE_WORD = new RegExp(`^${WORD}$`, 'u');
const LABEL = '[a-z0-9_](?:[a-z0-9_-]*[a-z0-9])?';
const DOMAIN = new RegExp(`^(?:${LABEL}\\.)*[a-z](?:[a-z0-9-]*[a-z0-9])?$`);
const LOCAL_PART = /^[^\s@*<>()[\]\\,;:"/]+$/;

/** An entry of a list, with its stored text. */
export type ListEntry = { text: string } & (
  | { kind: 'phrase' | 'address' | 'domain' | 'network'; key: string }
  /** A word of which `key` is the beginning, the end or a part in the middle; or the beginning of an address. */
  | { kind: 'start' | 'end' | 'middle' | 'address_start'; key: string }
);

/** Brings text to be looked up, or looked through, into one spelling. */
export function plain(text: string): string {
  return normalise(text, 'NFKC').toLowerCase();
}

/** Returns a domain as it is compared; '' for what is none. */
export function plainDomain(text: string): string {
  return domainToASCII(text).replace(/\.$/, '');
}

/**
 * Reads an entry: a network, an address, a domain with those below it, a word or a phrase. A star stands at an
 * end of a word (`casino*`), before a domain (`*.example`) or behind an `@`.
 * @returns null for what is none of these
 */
export function parseEntry(line: string): ListEntry | null {
  if (line.length > ENTRY_MAX) return null;
  const text = plain(line).trim().replace(/\s+/g, ' ');
  if (text === '' || text.length > ENTRY_MAX || !text.isWellFormed()) return null;
  const bits = networkBits(text);
  if (bits !== null) return { kind: 'network', key: bits, text };
  if (text.includes('/')) return null;
  if (text.includes('@')) return parseAddress(text);
  return (text.includes('.') ? parseDomain(text) : null) ?? parseWords(text);
}

function parseAddress(text: string): ListEntry | null {
  const [local = '', domain = '', ...rest] = text.split('@');
  if (rest.length > 0) return null;
  if (local === '' || local === '*') return parseDomain(domain);
  if (!LOCAL_PART.test(local)) return null;
  if (domain === '*' && local.length >= STARRED_MIN) {
    return { kind: 'address_start', key: `${local}@`, text };
  }
  const host = parseDomain(domain);
  if (host === null || domain.includes('*')) return null;
  const address = `${local}@${host.text}`;
  return { kind: 'address', key: address, text: address };
}

function parseDomain(text: string): ListEntry | null {
  const isStarred = text.startsWith('*.');
  const domain = plainDomain(isStarred ? text.slice(2) : text);
  if (!DOMAIN.test(domain)) return null;
  if (domain.includes('.')) return { kind: 'domain', key: domain, text: domain };
  return isStarred ? { kind: 'domain', key: domain, text: `*.${domain}` } : null;
}

function parseWords(text: string): ListEntry | null {
  const [, before, given = '', after] = /^(\*?)([^*]*)(\*?)$/.exec(text) ?? [];
  // Two words with a hyphen are found like two words.
  const key = given.replaceAll('-', ' ');
  if (before === '' && after === '') return PHRASE.test(key) ? { kind: 'phrase', key, text } : null;
  if (key.length < STARRED_MIN || !ONE_WORD.test(key)) return null;
  const kind = before === '' ? 'start' : after === '' ? 'end' : 'middle';
  return { kind, key, text };
}
