/** Shorter values are answers that many give: a name, a town, a choice. In characters. */
const OWN_WORDS_MIN = 40;
/** What is looked at of all values together, in characters. */
const TEXT_MAX = 1_000;
/** Words that count as one feature. */
const SHINGLE_WORDS = 3;
/** Fewer features make fingerprints of different texts too much alike. */
const SHINGLES_MIN = 4;
/** Bits in which two fingerprints of nearly the same text may differ, of 64. */
const BITS_MAX = 6;
const BITS = 32;

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
  const high = new Int32Array(BITS);
  const low = new Int32Array(BITS);
  for (let at = 0; at < count; at++) {
    let shingle = 0;
    for (let next = 0; next < SHINGLE_WORDS; next++) {
      shingle = Math.imul(shingle, 0x01000193) ^ (hashes[at + next] ?? 0);
    }
    count1(high, mixed(shingle ^ 0x9e3779b9));
    count1(low, mixed(shingle));
  }
  return { high: bitsOf(high), low: bitsOf(low) };
}

/** Tells whether two fingerprints are of nearly the same text. */
export function areAlike(one: Fingerprint, other: Fingerprint): boolean {
  // Half of the bits tells of nearly all texts that they differ.
  const differing = ones(one.high ^ other.high);
  return differing <= BITS_MAX && differing + ones(one.low ^ other.low) <= BITS_MAX;
}

function wordsOf(fields: readonly { text: string }[]): string[] {
  let text = '';
  for (const field of fields) {
    if (field.text.length < OWN_WORDS_MIN || text.length >= TEXT_MAX) continue;
    text += `${field.text.slice(0, TEXT_MAX - text.length)} `;
  }
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
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

function count1(sums: Int32Array, bits: number): void {
  for (let bit = 0; bit < BITS; bit++) {
    sums[bit] = (sums[bit] ?? 0) + (((bits >>> bit) & 1) === 1 ? 1 : -1);
  }
}

function bitsOf(sums: Int32Array): number {
  return sums.reduce((bits, sum, bit) => (sum > 0 ? bits | (1 << bit) : bits), 0);
}

function ones(bits: number): number {
  let left = bits - ((bits >>> 1) & 0x55555555);
  left = (left & 0x33333333) + ((left >>> 2) & 0x33333333);
  return Math.imul((left + (left >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
