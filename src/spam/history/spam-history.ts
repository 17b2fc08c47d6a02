import { Injectable } from '@nestjs/common';
import { hash, randomBytes } from 'node:crypto';
import { DAY_MS, MINUTE_MS } from '../../platform/index.js';

/** Shorter values are answers that many give: a name, a town, a choice. In characters. */
const OWN_WORDS_MIN = 40;
/** Characters of all values together that count. */
const TEXT_MAX = 1_000;
/** Words that count as one feature. */
const SHINGLE_WORDS = 3;
/** Fewer features make fingerprints of different texts too much alike. */
const SHINGLES_MIN = 4;
/** Bits in which two fingerprints of nearly the same text may differ, of 64. */
const BITS_MAX = 6;
/** Digits of a count of features in binary: TEXT_MAX characters have fewer than 2 ** 10 words. */
const PLANES = 10;

/** A SimHash of 64 bits: texts that share most of their words in the same order differ in few bits. */
interface Fingerprint {
  high: number;
  low: number;
}

/** Makes the fingerprint of what a visitor wrote in their own words; null when that is too little. */
export function fingerprintOf(fields: readonly { text: string }[]): Fingerprint | null {
  const hashes = wordsOf(fields).map(hashOfWord);
  const count = hashes.length - SHINGLE_WORDS + 1;
  if (count < SHINGLES_MIN) return null;
  const high = new BitCounts();
  const low = new BitCounts();
  for (let at = 0; at < count; at++) {
    let shingle = 0;
    for (let next = 0; next < SHINGLE_WORDS; next++) {
      shingle = Math.imul(shingle, 0x01000193) ^ (hashes[at + next] ?? 0);
    }
    high.add(mixed(shingle ^ 0x9e3779b9));
    low.add(mixed(shingle));
  }
  return { high: high.most(count), low: low.most(count) };
}

/** Tells whether two fingerprints are of nearly the same text, by the bits that differ in their halves. */
export function areAlike(high: number, low: number) {
  // Half of the bits tells of nearly all texts that they differ.
  const differing = ones(high);
  return differing <= BITS_MAX && differing + ones(low) <= BITS_MAX;
}

function wordsOf(fields: readonly { text: string }[]): string[] {
  let text = '';
  for (const field of fields) {
    if (field.text.length < OWN_WORDS_MIN || text.length >= TEXT_MAX) continue;
    text += `${field.text.slice(0, TEXT_MAX - text.length)} `;
  }
  const lower = text.toLowerCase();
  // To look for letters of all scripts takes five times as long.
  const isAscii = /^[\x00-\x7f]*$/.test(lower);
  return (isAscii ? lower.match(/[a-z\d]+/g) : lower.match(/[\p{L}\p{N}]+/gu)) ?? [];
}

/** FNV-1a. */
function hashOfWord(word: string) {
  let value = 0x811c9dc5;
  for (let at = 0; at < word.length; at++) {
    value = Math.imul(value ^ word.charCodeAt(at), 0x01000193);
  }
  return value;
}

/** Spreads a hashOfWord over all bits, as the end of MurmurHash3 does. */
function mixed(value: number) {
  let spread = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  spread = Math.imul(spread ^ (spread >>> 13), 0xc2b2ae35);
  return spread ^ (spread >>> 16);
}

/** Counts for each of 32 bits in how many numbers it is set: all 32 counts at once, each a column of the planes. */
class BitCounts {
  private readonly planes = new Int32Array(PLANES);

  add(bits: number) {
    let carry = bits;
    for (let plane = 0; carry !== 0 && plane < PLANES; plane++) {
      const before = this.planes[plane] ?? 0;
      this.planes[plane] = before ^ carry;
      carry &= before;
    }
  }

  /** Returns the bits that are set in more than half of `all` numbers. */
  most(all: number) {
    const least = Math.floor(all / 2) + 1;
    let reached = -1;
    for (let plane = 0; plane < PLANES; plane++) {
      const bits = this.planes[plane] ?? 0;
      reached = ((least >>> plane) & 1) === 1 ? bits & reached : bits | reached;
    }
    return reached;
  }
}

function ones(bits: number) {
  let left = bits - ((bits >>> 1) & 0x55555555);
  left = (left & 0x33333333) + ((left >>> 2) & 0x33333333);
  return Math.imul((left + (left >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** How long texts and networks are remembered, in milliseconds. */
const TEXTS_MS = DAY_MS;
const NETWORKS_MS = 10 * MINUTE_MS;
/** Texts of an account, accounts, and networks that are remembered at most; the oldest go first. */
const TEXTS_MAX = 500;
const ACCOUNTS_MAX = 2_000;
const NETWORKS_MAX = 50_000;

/** Earlier submissions that resemble one. */
interface Before {
  /** Texts that are nearly the same, over all forms of the account. */
  alike: number;
  /** Submissions from the same network to the forms of the account. */
  fromNetwork: number;
}

/** Remembers for a short time what this process took in. An address is kept only as a hash that ends with it. */
@Injectable()
export class SpamHistory {
  private readonly key = randomBytes(32).toString('base64');
  private readonly texts = new Map<number, RecentTexts>();
  private readonly networks = new Map<string, { count: number; until: number }>();

  /** Adds a submission, and returns what came before it. */
  add(accountId: number, network: string, fields: readonly { text: string }[], now: Date): Before {
    const at = now.getTime();
    return {
      alike: this.addText(accountId, fingerprintOf(fields), at),
      fromNetwork: network === '' ? 0 : this.addNetwork(`${accountId} ${network}`, at),
    };
  }

  /** Takes back what `add` did, for a submission that was not stored: its visitor sends it again. */
  takeBack(accountId: number, network: string, fields: readonly { text: string }[]) {
    const fingerprint = fingerprintOf(fields);
    if (fingerprint !== null) this.texts.get(accountId)?.forget(fingerprint);
    const known = this.networks.get(this.keyOf(`${accountId} ${network}`));
    if (network !== '' && known && known.count > 0) known.count--;
  }

  /** Adds what a network asked for before it sends anything, and returns how often it did before. */
  addAsked(accountId: number, network: string, now: Date) {
    return this.addNetwork(`asked ${accountId} ${network}`, now.getTime());
  }

  private addText(accountId: number, fingerprint: Fingerprint | null, at: number) {
    if (fingerprint === null) return 0;
    const known = this.texts.get(accountId) ?? new RecentTexts(TEXTS_MAX);
    const alike = known.countAlike(fingerprint, at - TEXTS_MS);
    known.add(fingerprint, at);
    this.texts.delete(accountId); // those that were used last are at the end
    this.texts.set(accountId, known);
    forgetFirst(this.texts, ACCOUNTS_MAX);
    return alike;
  }

  private addNetwork(name: string, at: number) {
    const key = this.keyOf(name);
    const known = this.networks.get(key);
    if (known && known.until > at) return known.count++;
    this.networks.delete(key);
    this.networks.set(key, { count: 1, until: at + NETWORKS_MS });
    forgetFirst(this.networks, NETWORKS_MAX);
    return 0;
  }

  private keyOf(name: string) {
    return hash('sha256', `${this.key} ${name}`, 'base64');
  }
}

function forgetFirst<Key>(map: Map<Key, unknown>, max: number) {
  if (map.size <= max) return;
  for (const first of map.keys()) {
    map.delete(first);
    return;
  }
}

/** Room for texts at first; it doubles, since most accounts get few. */
const FIRST_ROOM = 16;

/** Remembers the last texts of an account by their fingerprints, in few bytes each: all are looked at each time. */
class RecentTexts {
  private high = new Int32Array(FIRST_ROOM);
  private low = new Int32Array(FIRST_ROOM);
  private times = new Float64Array(FIRST_ROOM);
  private count = 0;
  /** Where the next one goes: in place of the oldest, when there is no room. */
  private next = 0;

  /** @param max of texts; the oldest go first */
  constructor(private readonly max: number) {}

  /** Counts texts that came after a time, in milliseconds since 1970, and are nearly the same. */
  countAlike({ high, low }: Fingerprint, after: number) {
    let alike = 0;
    for (let at = 0; at < this.count; at++) {
      const isAlike = areAlike((this.high[at] ?? 0) ^ high, (this.low[at] ?? 0) ^ low);
      if (isAlike && (this.times[at] ?? 0) > after) alike++;
    }
    return alike;
  }

  add({ high, low }: Fingerprint, time: number) {
    if (this.next === this.high.length && this.next < this.max) this.grow();
    this.next %= this.max;
    this.high[this.next] = high;
    this.low[this.next] = low;
    this.times[this.next] = time;
    this.next++;
    this.count = Math.max(this.count, this.next);
  }

  /** Lets the last text of this fingerprint count no more. */
  forget({ high, low }: Fingerprint) {
    let last = -1;
    for (let at = 0; at < this.count; at++) {
      const isSame = this.high[at] === high && this.low[at] === low;
      if (isSame && (this.times[at] ?? 0) >= (this.times[last] ?? 0)) last = at;
    }
    if (last >= 0) this.times[last] = 0;
  }

  private grow() {
    const room = Math.min(2 * this.high.length, this.max);
    const [high, low, times] = [new Int32Array(room), new Int32Array(room), new Float64Array(room)];
    high.set(this.high);
    low.set(this.low);
    times.set(this.times);
    [this.high, this.low, this.times] = [high, low, times];
  }
}
