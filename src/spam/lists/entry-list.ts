import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { normalise, inSlices } from '../../platform/index.js';

/** Leading parts of an IPv4 address, such as `203.0.113.*`. */
const STARRED = /^((?:\d{1,3}\.){1,3})\*$/;

/**
 * Returns the bits of a network as `0` and `1`, behind the version of the protocol: addresses within it begin
 * with the same.
 * @param text an address, `203.0.113.0/24`, `2001:db8::/32` or `203.0.113.*`
 * @returns null when it is none
 */
function networkBits(text: string) {
  const [, parts] = STARRED.exec(text) ?? [];
  if (parts !== undefined) {
    const given = parts.split('.').length - 1;
    return networkBits(`${parts}${'0.'.repeat(3 - given)}0/${8 * given}`);
  }
  const [address = '', length, ...rest] = text.split('/');
  const bits = bitsOf(address);
  if (bits === null || length === undefined) return bits;
  if (rest.length > 0 || !/^\d{1,3}$/.test(length) || Number(length) >= bits.length) return null;
  return bits.slice(0, 1 + Number(length));
}

function bitsOf(address: string) {
  const version = isIP(address);
  if (version === 0 || address.includes('%')) return null;
  const bytes = ipaddr.parse(address).toByteArray();
  return `${version}${bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('')}`;
}

/** Longest entry, in characters. */
const ENTRY_MAX = 255;
/** Most words of a phrase. */
const PHRASE_WORDS_MAX = 5;
/** Shortest part of a word or an address beside a star, in characters: less is in nearly every text. */
const STARRED_MIN = 2;

const WORD_SOURCE = "[\\p{L}\\p{N}][\\p{L}\\p{M}\\p{N}]*(?:['’][\\p{L}\\p{M}\\p{N}]+)*";
const PHRASE = new RegExp(`^${WORD_SOURCE}(?: ${WORD_SOURCE}){0,${PHRASE_WORDS_MAX - 1}}$`, 'u');
const ONE_WORD = new RegExp(`^${WORD_SOURCE}$`, 'u');
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
function plain(text: string) {
  return normalise(text, 'NFKC').toLowerCase();
}

/** Returns a domain as it is compared; '' for what is none. */
function plainDomain(text: string) {
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

/** Text of one submission that is looked through, in characters; and the words of it. */
const TEXT_MAX_CHARS = 20_000;
const WORDS_MAX = 4_000;
/** Longer words are looked up as a whole only, in characters. */
const WORD_MAX_CHARS = 64;

const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['’][\p{L}\p{M}\p{N}]+)*/gu;
const LINK = /(?:https?:\/\/|\bwww\.)([^\s/"'<>?#:\]]{1,255})/gu;
/** The local part is bounded, so that a long text without any costs little. */
const ADDRESS = /[^\s@<>"'(),;:]{1,64}@[\p{L}\p{N}_.-]{1,255}/gu;
const ONE_ADDRESS = /^[^\s@<>"'(),;:]{1,64}@[\p{L}\p{N}_.-]{1,255}$/u;

/** Parts of a submission to look up. */
interface Sought {
  words: readonly string[];
  addresses: readonly string[];
  /** Hosts of addresses and links. */
  domains: readonly string[];
  /** The visitor's address; '' when it is not known. */
  network: string;
}

/** An entry found in a list. */
export interface Found {
  kind: 'word' | 'address' | 'domain' | 'network';
  /** The entry; null for a network, which would tell an address that is not to be stored. */
  entry: string | null;
}

/** Entries that are sorted into their kinds in one turn of the event loop, which takes a few milliseconds. */
const ENTRIES_A_TURN = 1_000;

/** Holds the entries of a list for look-ups that take hardly longer when there are more of them. */
export class EntryList {
  private readonly phrases = new Set<string>();
  /** How many words the phrases have. */
  private readonly phraseWords = new Set<number>();
  private readonly addresses = new Set<string>();
  private readonly domains = new Set<string>();
  private starts: Prefixes;
  /** Written backwards. */
  private ends: Prefixes;
  private middles: Prefixes;
  private addressStarts: Prefixes;
  private networks: Prefixes;

  /** Makes a list ready, and leaves the event loop to others in between. */
  static async of(entries: Iterable<ListEntry>): Promise<EntryList> {
    const list = new EntryList();
    const parts = { start: [], end: [], middle: [], address_start: [], network: [] } as Record<
      'start' | 'end' | 'middle' | 'address_start' | 'network',
      string[]
    >;
    let taken = 0;
    for (const { kind, key } of entries) {
      if (++taken % ENTRIES_A_TURN === 0) await nextTurn();
      if (kind === 'phrase') {
        list.phrases.add(key);
        list.phraseWords.add(key.split(' ').length);
      } else if (kind === 'address') list.addresses.add(key);
      else if (kind === 'domain') list.domains.add(key);
      // Longer words are looked up as a whole only.
      else if (kind !== 'middle' || key.length <= WORD_MAX_CHARS)
        parts[kind].push(kind === 'end' ? backwards(key) : key);
    }
    list.starts = await Prefixes.of(parts.start);
    list.ends = await Prefixes.of(parts.end);
    list.middles = await Prefixes.of(parts.middle);
    list.addressStarts = await Prefixes.of(parts.address_start);
    list.networks = await Prefixes.of(parts.network);
    return list;
  }

  get hasNetworks() {
    return !this.networks.isEmpty;
  }

  /** Returns the first of what is sought that the list has; null when it has nothing of it. */
  find({ words, addresses, domains, network }: Sought): Found | null {
    const bits = networkBits(network);
    if (bits !== null && this.networks.begin(bits)) return { kind: 'network', entry: null };
    for (const address of addresses) {
      const isKnown = this.addresses.has(address) || this.addressStarts.begin(address);
      if (isKnown) return { kind: 'address', entry: address };
    }
    for (const domain of domains) {
      const entry = this.parentOf(domain);
      if (entry !== null) return { kind: 'domain', entry };
    }
    const entry = this.phraseIn(words) ?? this.partIn(words);
    return entry === null ? null : { kind: 'word', entry };
  }

  private parentOf(domain: string) {
    for (let parent = domain; ;) {
      if (this.domains.has(parent)) return parent;
      const dot = parent.indexOf('.');
      if (dot < 0) return null;
      parent = parent.slice(dot + 1);
    }
  }

  private phraseIn(words: readonly string[]) {
    for (const count of this.phraseWords) {
      for (let at = 0; at + count <= words.length; at++) {
        const phrase = count === 1 ? (words[at] ?? '') : words.slice(at, at + count).join(' ');
        if (this.phrases.has(phrase)) return phrase;
      }
    }
    return null;
  }

  private partIn(words: readonly string[]) {
    for (const word of words) {
      if (word.length > WORD_MAX_CHARS) continue;
      const isFound = this.starts.begin(word) || this.ends.begin(backwards(word)) || this.middles.areIn(word);
      if (isFound) return word;
    }
    return null;
  }
}

/**
 * Returns what of a submission is looked up.
 * @param network the address of its visitor
 * @returns `anywhere`, and `bySender`: the addresses that are a value as a whole, and their domains
 */
export function soughtIn(fields: readonly { text: string }[], network: string): { anywhere: Sought; bySender: Sought } {
  const values: string[] = [];
  let left = TEXT_MAX_CHARS;
  for (const { text } of fields) {
    if (left <= 0) break;
    values.push(plain(text.slice(0, left)));
    left -= text.length;
  }
  const text = values.join('\n');
  const words = (text.match(WORD) ?? []).slice(0, WORDS_MAX);
  const given = addressesIn(values.map((value) => value.trim()).filter((value) => ONE_ADDRESS.test(value)));
  const all = text.includes('@') ? addressesIn(text.match(ADDRESS) ?? []) : [];
  const hosts = [...text.matchAll(LINK)].map(([, host = '']) => plainDomain(host));
  return {
    anywhere: { words, network, addresses: all, domains: [...domainsOf(all), ...hosts] },
    bySender: { words, network, addresses: given, domains: domainsOf(given) },
  };
}

function addressesIn(found: readonly string[]) {
  return [...new Set(found)].map((address) => {
    const at = address.indexOf('@');
    let end = address.length; // an address may end a sentence
    while ('.-_'.includes(address.charAt(end - 1))) end--;
    return `${address.slice(0, at)}@${plainDomain(address.slice(at + 1, end))}`;
  });
}

function domainsOf(addresses: readonly string[]) {
  return addresses.map((address) => address.slice(address.indexOf('@') + 1));
}

function backwards(text: string) {
  return Array.from(text).reverse().join('');
}

/** Texts that are sorted in one turn of the event loop, which takes a millisecond or two. */
const SORTED_AT_ONCE = 5_000;

/**
 * Beginnings of texts. They are sorted, and none is the beginning of another one, so the only one that a text can begin
 * with is the last one that is not greater than the text.
 */
class Prefixes {
  private constructor(
    private readonly sorted: readonly string[],
    /** The first two characters of each. */
    private readonly starts: ReadonlySet<string>,
  ) {}

  /** Leaves the event loop to others in between. */
  static async of(texts: string[]): Promise<Prefixes> {
    const shortest: string[] = [];
    for (const text of await sortedInTurns(texts)) {
      const last = shortest.at(-1);
      if (last === undefined || !text.startsWith(last)) shortest.push(text);
    }
    await nextTurn();
    return new Prefixes(shortest, new Set(shortest.map((text) => text.slice(0, 2))));
  }

  get isEmpty() {
    return this.sorted.length === 0;
  }

  /** Tells whether a text begins with one of them at a place. */
  begin(text: string, from = 0) {
    if (!this.starts.has(text.slice(from, from + 2))) return false;
    const rest = text.slice(from);
    let [low, high] = [0, this.sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.sorted[middle] ?? '') <= rest) low = middle + 1;
      else high = middle;
    }
    const nearest = this.sorted[low - 1];
    return nearest !== undefined && rest.startsWith(nearest);
  }

  /** Tells whether a text has one of them anywhere. */
  areIn(text: string) {
    if (this.isEmpty) return false;
    for (let from = 0; from < text.length; from++) if (this.begin(text, from)) return true;
    return false;
  }
}

async function sortedInTurns(texts: string[]) {
  let runs: string[][] = [];
  for (const some of inSlices(texts, SORTED_AT_ONCE)) {
    runs.push(some.sort());
    await nextTurn();
  }
  while (runs.length > 1) {
    const merged: string[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(mergedOf(runs[at] ?? [], runs[at + 1] ?? []));
      await nextTurn();
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

function mergedOf(some: readonly string[], others: readonly string[]) {
  const merged: string[] = [];
  let at = 0;
  for (const text of some) {
    for (let other = others[at]; other !== undefined && other < text; other = others[++at]) merged.push(other);
    merged.push(text);
  }
  return merged.concat(others.slice(at));
}
