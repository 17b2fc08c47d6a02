/** Groups of texts that a block has. */
export const GROUPS = 1_024;
/** Bits of a hash that a list says; the others are those of the number of its part. */
export const REST_BITS = 13;
const REST_MASK = (1 << REST_BITS) - 1;
/** Groups that have a trigram, from which on it is kept as one that all may have. */
const SAID_MAX = (GROUPS * 3) / 4;
/** Bits of the low part of a gap, by what the head of a list says in so many bits. */
const LOW_BITS = [0, 1, 2, 3, 4, 5, 6, 8] as const;
const KIND_BITS = 3;
const KIND_MASK = (1 << KIND_BITS) - 1;
/** Part of the mean gap that the low bits hold: the least is written then. */
const LOW_SHARE = 0.7;
/** Ones that are written at once. */
const ONES = 16;
/** Bytes of a list before its gaps: what is left of the hash, and the length. */
const HEAD_BYTES = 3;
/** More than any list has: gaps of all groups are 1,024 ones and zeros, and the low parts add less than they save. */
const LIST_BYTES_MAX = 256;

/** The gaps between the groups of a list as they are stored, and the bits of the low part of each. */
export interface StoredList {
  low: number;
  /** None where all groups may have it. */
  bytes: Uint8Array;
}

/** Numbers of groups, in order. */
type Groups = readonly number[] | Uint16Array;

/**
 * Writes lists of trigrams: the bits of the hash that the part does not say, how gaps are written, the length, and
 * the gaps as Rice codes (the high part in ones that end with a zero, then the low part). Ones fill the last byte.
 */
export class ListWriter {
  private bytes = new Uint8Array(4_096);
  private used = 0;
  /** Bits that are not a whole byte yet. */
  private bits = 0;
  private count = 0;

  /** Adds the list of the trigram with this hash. */
  add(hash: number, groups: Groups): void {
    if (this.used + LIST_BYTES_MAX > this.bytes.length) {
      const { bytes } = this;
      this.bytes = new Uint8Array(bytes.length * 2);
      this.bytes.set(bytes);
    }
    const share = (GROUPS / groups.length) * LOW_SHARE;
    let kind = 0;
    while (2 ** (LOW_BITS[kind + 1] ?? Infinity) <= share) kind++;
    const head = ((hash & REST_MASK) << KIND_BITS) | kind;
    const begin = this.used;
    this.bytes[begin] = head >> 8;
    this.bytes[begin + 1] = head & 0xff;
    this.used += HEAD_BYTES;
    if (groups.length < SAID_MAX) this.gaps(groups, LOW_BITS[kind] ?? 0);
    this.bytes[begin + 2] = this.used - begin - HEAD_BYTES;
  }

  /** Returns what was added, and begins anew. */
  take(): Buffer {
    const taken = Buffer.from(this.bytes.subarray(0, this.used));
    this.used = 0;
    return taken;
  }

  private gaps(groups: Groups, low: number): void {
    let before = -1;
    for (const group of groups) {
      const gap = group - before - 1;
      before = group;
      let high = gap >> low;
      for (; high >= ONES; high -= ONES) this.put((1 << ONES) - 1, ONES);
      // The ones, a zero, and the low part.
      this.put((((1 << high) - 1) << (low + 1)) | (gap & ((1 << low) - 1)), high + 1 + low);
    }
    if (this.count > 0) this.put((1 << (8 - this.count)) - 1, 8 - this.count);
  }

  private put(value: number, size: number): void {
    this.bits = (this.bits << size) | value;
    for (this.count += size; this.count >= 8;) {
      this.count -= 8;
      this.bytes[this.used++] = (this.bits >>> this.count) & 0xff;
    }
  }
}

/** Finds the list of a trigram in a part; null when no group has it. */
export function listIn(part: Uint8Array, hash: number): StoredList | null {
  const rest = hash & REST_MASK;
  for (let at = 0; at < part.length;) {
    const head = ((part[at] ?? 0) << 8) | (part[at + 1] ?? 0);
    const length = part[at + 2] ?? 0;
    at += HEAD_BYTES;
    if (head >>> KIND_BITS === rest) {
      return { low: LOW_BITS[head & KIND_MASK] ?? 0, bytes: part.subarray(at, at + length) };
    }
    at += length;
  }
  return null;
}

/** Returns the groups of a list, in order; null where all may be in it. */
export function groupsIn(list: StoredList | null): number[] | null {
  if (!list || list.bytes.length === 0) return null;
  const { low, bytes } = list;
  const groups: number[] = [];
  // The next bits, from the highest on, and how many there are.
  let [bits, count, at] = [0, 0, 0];
  const fill = () => {
    for (; count <= 16 && at < bytes.length; count += 8) bits |= (bytes[at++] ?? 0) << (24 - count);
  };
  for (let group = -1; ;) {
    let high = 0;
    fill();
    for (let ones = Math.clz32(~bits); ; ones = Math.clz32(~bits)) {
      if (ones < count) {
        high += ones;
        bits <<= ones + 1;
        count -= ones + 1;
        break;
      }
      if (at === bytes.length) return groups;
      high += count;
      [bits, count] = [0, 0];
      fill();
    }
    fill();
    group += 1 + ((high << low) | (low > 0 ? bits >>> (32 - low) : 0));
    bits <<= low;
    count -= low;
    groups.push(group);
  }
}
