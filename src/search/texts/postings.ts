/** Groups of texts that a block has. */
const GROUPS = 1_024;
/** Bits of a hash that a list says; its part's number has the others. */
const REST_BITS = 13;
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
interface StoredList {
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
class ListWriter {
  private bytes = new Uint8Array(4_096);
  private used = 0;
  /** Bits that are not a whole byte yet. */
  private bits = 0;
  private count = 0;

  /** Adds the list of the trigram with this hash. */
  add(hash: number, groups: Groups) {
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

  private gaps(groups: Groups, low: number) {
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

  private put(value: number, size: number) {
    this.bits = (this.bits << size) | value;
    for (this.count += size; this.count >= 8;) {
      this.count -= 8;
      this.bytes[this.used++] = (this.bits >>> this.count) & 0xff;
    }
  }
}

/** Finds the list of a trigram in a part; null when no group has it. */
function listIn(part: Uint8Array, hash: number): StoredList | null {
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
function groupsIn(list: StoredList | null) {
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

/** Texts in a row that a posting stands for. They share a page of the database, so looking into all costs little more. */
export const GROUP_ROWS = 4;
/** Texts of a block, at most. */
export const BLOCK_ROWS = GROUPS * GROUP_ROWS;
/** Parts that the trigrams of a block are divided into, by a hash. */
const PARTS = 2_048;
/** The part with the groups that may have anything, since one of their texts is too long to be kept. */
export const UNKNOWN_PART = PARTS;
/** Postings of a block at most, eight bytes of memory each; with long texts it has fewer of them then. */
const POSTINGS_MAX = 4_000_000;
const POSTINGS_FIRST = 65_536;
const GRAM_BYTES = 3;
/** Knuth's multiplier. It is odd, so no two trigrams have the same 24 bits. */
const MULTIPLIER = 2_654_435_761;
const HASH_MASK = 0xff_ffff;

/** Returns the trigrams of a text as numbers of 24 bits: each three bytes in a row. */
export function trigramsOf(text: Uint8Array): number[] {
  const grams = new Set<number>();
  for (let at = GRAM_BYTES; at <= text.length; at++) grams.add(gramAt(text, at));
  return [...grams];
}

/** Collects which groups of texts of a block have which trigrams. */
export class Postings {
  /** Numbers of trigrams from 1, by their third byte, in pages by the first two. */
  private readonly pages = new Array<Uint32Array | undefined>(65_536);
  private readonly grams: number[] = [];
  /** Number of groups with each trigram, and the last of them. */
  private readonly counts: number[] = [];
  private readonly last: number[] = [];
  private readonly unknown: number[] = [];
  /** Trigram and group of each posting, in order of arrival. */
  private numbers = new Uint32Array(POSTINGS_FIRST);
  private groups = new Uint16Array(POSTINGS_FIRST);
  private used = 0;

  /** Whether no further text should be added. */
  get isFull() {
    return this.used >= POSTINGS_MAX;
  }

  /** Adds the text at a position of the block, after those before it; null is one that may have anything. */
  add(position: number, text: Uint8Array | null) {
    const group = Math.floor(position / GROUP_ROWS);
    if (text === null) {
      if (this.unknown.at(-1) !== group) this.unknown.push(group);
      return;
    }
    this.makeRoom(text.length);
    for (let at = GRAM_BYTES; at <= text.length; at++) {
      const number = this.numberOf(gramAt(text, at));
      if (this.last[number] === group) continue;
      this.last[number] = group;
      this.counts[number] = (this.counts[number] ?? 0) + 1;
      this.numbers[this.used] = number;
      this.groups[this.used++] = group;
    }
  }

  /** Yields the parts of the block in their order, with what is stored of each. */
  *parts(): Generator<[part: number, bytes: Buffer]> {
    const { sorted, ends } = this.byTrigram();
    const lists = Array.from({ length: PARTS }, (): number[] => []);
    for (const [number, gram] of this.grams.entries()) {
      lists[hashOf(gram) >>> REST_BITS]?.push(number);
    }
    const writer = new ListWriter();
    for (const [part, numbers] of lists.entries()) {
      for (const number of numbers) {
        const end = ends[number] ?? 0;
        const groups = sorted.subarray(end - (this.counts[number] ?? 0), end);
        writer.add(hashOf(this.grams[number] ?? 0), groups);
      }
      yield [part, writer.take()];
    }
    if (this.unknown.length > 0) writer.add(0, this.unknown);
    yield [UNKNOWN_PART, writer.take()];
  }

  private numberOf(gram: number) {
    const page = (this.pages[gram >>> 8] ??= new Uint32Array(256));
    const known = page[gram & 0xff] ?? 0;
    if (known > 0) return known - 1;
    page[gram & 0xff] = this.grams.push(gram);
    this.counts.push(0);
    return this.last.push(-1) - 1;
  }

  private makeRoom(postings: number) {
    if (this.used + postings <= this.groups.length) return;
    const { numbers, groups } = this;
    this.numbers = new Uint32Array(groups.length * 2 + postings);
    this.numbers.set(numbers);
    this.groups = new Uint16Array(groups.length * 2 + postings);
    this.groups.set(groups);
  }

  /** Returns the groups trigram by trigram, and where each trigram's groups end. */
  private byTrigram(): { sorted: Uint16Array; ends: Uint32Array } {
    const ends = new Uint32Array(this.counts.length);
    let begin = 0;
    for (const [number, count] of this.counts.entries()) {
      ends[number] = begin;
      begin += count;
    }
    const sorted = new Uint16Array(this.used);
    for (let at = 0; at < this.used; at++) {
      const number = this.numbers[at] ?? 0;
      const place = ends[number] ?? 0;
      sorted[place] = this.groups[at] ?? 0;
      ends[number] = place + 1;
    }
    return { sorted, ends };
  }
}

/** Returns the parts that tell which groups have these trigrams. */
export function partsFor(grams: readonly number[]): number[] {
  const parts = grams.map((gram) => hashOf(gram) >>> REST_BITS);
  return [...new Set([...parts, UNKNOWN_PART])];
}

/**
 * Returns the groups of a block, in order, that may have all of these trigrams.
 * @param parts parts of `partsFor` that the block has
 * @returns null where one is missing, or all groups may have them
 */
export function groupsWith(grams: readonly number[], parts: ReadonlyMap<number, Uint8Array>): number[] | null {
  const unknown = parts.get(UNKNOWN_PART);
  if (!unknown) return null;
  const others = unknown.length > 0 ? groupsIn(listIn(unknown, 0)) : [];
  if (!others) return null;
  const lists: StoredList[] = [];
  for (const gram of grams) {
    const hash = hashOf(gram);
    const part = parts.get(hash >>> REST_BITS);
    if (!part) return null;
    const list = listIn(part, hash);
    if (!list) return others;
    if (list.bytes.length > 0) lists.push(list);
  }
  const [shortest, ...longer] = lists.sort((a, b) => a.bytes.length - b.bytes.length);
  let found = groupsIn(shortest ?? null);
  for (const list of longer) {
    if (!found || found.length === 0) break;
    const has = new Set(groupsIn(list));
    found = found.filter((group) => has.has(group));
  }
  if (!found || others.length === 0) return found;
  return [...new Set([...found, ...others])].sort((a, b) => a - b);
}

/** Sets of trigrams; a text has all of one of them. */
export type AnyOf = readonly (readonly number[])[];

/** Returns the same for texts that have one set of each choice. */
export function groupsWithAll(choices: readonly AnyOf[], parts: ReadonlyMap<number, Uint8Array>): number[] | null {
  const told = choices.flatMap((choice) => {
    const groups = choice.map((grams) => groupsWith(grams, parts));
    return groups.includes(null) ? [] : [new Set(groups.flatMap((some) => some ?? []))];
  });
  const [first, ...others] = told;
  if (!first) return null;
  const found = [...first].filter((group) => others.every((groups) => groups.has(group)));
  return found.sort((a, b) => a - b);
}

/** Returns the part of the groups that may have anything, with one more. */
export function withUnknown(part: Buffer, group: number): Buffer {
  const known = part.length > 0 ? groupsIn(listIn(part, 0)) : [];
  if (!known) return part;
  const writer = new ListWriter();
  writer.add(
    0,
    [...new Set([...known, group])].sort((a, b) => a - b),
  );
  return writer.take();
}

function gramAt(text: Uint8Array, end: number) {
  return ((text[end - 3] ?? 0) << 16) | ((text[end - 2] ?? 0) << 8) | (text[end - 1] ?? 0);
}

function hashOf(gram: number) {
  return Math.imul(gram, MULTIPLIER) & HASH_MASK;
}
