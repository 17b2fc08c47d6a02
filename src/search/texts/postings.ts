import {
  GROUPS,
  groupsIn,
  listIn,
  ListWriter,
  REST_BITS,
  type StoredList,
} from './posting-lists.js';

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
  get isFull(): boolean {
    return this.used >= POSTINGS_MAX;
  }

  /** Adds the text at a position of the block, after those before it; null is one that may have anything. */
  add(position: number, text: Uint8Array | null): void {
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

  private numberOf(gram: number): number {
    const page = (this.pages[gram >>> 8] ??= new Uint32Array(256));
    const known = page[gram & 0xff] ?? 0;
    if (known > 0) return known - 1;
    page[gram & 0xff] = this.grams.push(gram);
    this.counts.push(0);
    return this.last.push(-1) - 1;
  }

  private makeRoom(postings: number): void {
    if (this.used + postings <= this.groups.length) return;
    const { numbers, groups } = this;
    this.numbers = new Uint32Array(groups.length * 2 + postings);
    this.numbers.set(numbers);
    this.groups = new Uint16Array(groups.length * 2 + postings);
    this.groups.set(groups);
  }

  /** Returns the groups of one trigram after the other, and where those of each end. */
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
 * @param parts those of `partsFor` that the block has
 * @returns null where one is missing, or all groups may have them
 */
export function groupsWith(
  grams: readonly number[],
  parts: ReadonlyMap<number, Uint8Array>,
): number[] | null {
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
export function groupsWithAll(
  choices: readonly AnyOf[],
  parts: ReadonlyMap<number, Uint8Array>,
): number[] | null {
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

function gramAt(text: Uint8Array, end: number): number {
  return ((text[end - 3] ?? 0) << 16) | ((text[end - 2] ?? 0) << 8) | (text[end - 1] ?? 0);
}

function hashOf(gram: number): number {
  return Math.imul(gram, MULTIPLIER) & HASH_MASK;
}
