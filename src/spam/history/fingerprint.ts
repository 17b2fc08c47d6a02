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
export interface Fingerprint {
  high: number;
  low: number;
}

/** Makes the fingerprint of what a visitor wrote in their own words; null when that is too little. */
export function fingerprintOf(fields: readonly { text: string }[]): Fingerprint | null {
  const hashes = wordsOf(fields).map(hash);
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
export function areAlike(high: number, low: number): boolean {
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
function hash(word: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < word.length; at++) {
    value = Math.imul(value ^ word.charCodeAt(at), 0x01000193);
  }
  return value;
}

/** Spreads a hash over all bits, as the end of MurmurHash3 does. */
function mixed(value: number): number {
  let spread = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  spread = Math.imul(spread ^ (spread >>> 13), 0xc2b2ae35);
  return spread ^ (spread >>> 16);
}

/** Counts for each of 32 bits in how many numbers it is set: all 32 counts at once, each a column of the planes. */
class BitCounts {
  private readonly planes = new Int32Array(PLANES);

  add(bits: number): void {
    let carry = bits;
    for (let plane = 0; carry !== 0 && plane < PLANES; plane++) {
      const before = this.planes[plane] ?? 0;
      this.planes[plane] = before ^ carry;
      carry &= before;
    }
  }

  /** Returns the bits that are set in more than half of `all` numbers. */
  most(all: number): number {
    const least = Math.floor(all / 2) + 1;
    let reached = -1;
    for (let plane = 0; plane < PLANES; plane++) {
      const bits = this.planes[plane] ?? 0;
      reached = ((least >>> plane) & 1) === 1 ? bits & reached : bits | reached;
    }
    return reached;
  }
}

function ones(bits: number): number {
  let left = bits - ((bits >>> 1) & 0x55555555);
  left = (left & 0x33333333) + ((left >>> 2) & 0x33333333);
  return Math.imul((left + (left >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
