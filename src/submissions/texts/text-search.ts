import { Injectable } from '@nestjs/common';
import { keyOf } from '../byte-pieces.js';
import type { Bound, Order } from '../submission-ids.js';
import { SubmissionsRepository } from '../submissions.repository.js';
import { fold } from './fold.js';
import { positionsIn, slicesOf } from './slices.js';
import { SubmissionTextsRepository } from './submission-texts.repository.js';
import { TextBlocksRepository, type BlockRange } from './text-blocks.repository.js';

/** Texts that one statement searches, at first and at most. */
const PIECE_ROWS_FIRST = 500;
const PIECE_ROWS_MAX = 20_000;
/** Fewest, when they take long. */
const PIECE_ROWS_MIN = 250;
/** Duration of a statement in milliseconds below which the next one searches more, and above which it searches less. */
const PIECE_MS_MIN = 25;
const PIECE_MS_MAX = 75;
/** Matches that one statement finds at first, a page or two, and at most. */
const MATCHES_FIRST = 100;
const MATCHES_MAX = 500;
/** Submissions whose texts one statement looks into. */
const IDS_AT_ONCE = 500;
/** Slices that are read of a block: further ones hardly leave fewer submissions. */
const SLICES_READ_MAX = 16;
/** Blocks whose slices one statement reads at most; it begins with one. */
const BLOCKS_AT_ONCE = 64;
/** Submissions of a block that may have the words, from which on all of its texts are searched instead. */
const SUSPECTS_MAX = 256;
const ID_BYTES = 16;

/** What was found in a piece of the texts. */
export interface Scanned {
  /** What has all words, in order. */
  ids: Buffer[];
  /** Up to where was searched. */
  last: Buffer;
}

/** What of the texts is there when a search begins. */
export interface TextState {
  /** The id from which on submissions may lack their text, and `scan` does not find them. */
  movedBelow: Buffer;
  /** The forms that have blocks. */
  inBlocks: ReadonlySet<number>;
}

/** Finds submissions by words that occur in their values. */
@Injectable()
export class TextSearch {
  constructor(
    private readonly texts: SubmissionTextsRepository,
    private readonly blocks: TextBlocksRepository,
    private readonly submissions: SubmissionsRepository,
  ) {}

  /** Reads what a search goes by, for as many forms as it goes through. */
  async state(): Promise<TextState> {
    const movedBelow = await this.texts.movedBelow();
    return { movedBelow, inBlocks: new Set(await this.blocks.formsWithBlocks()) };
  }

  /** Searches the texts of a form in this order within bounds: through its blocks, then beyond them one by one. */
  async *scan(
    formId: number,
    words: readonly string[],
    order: Order,
    bounds: readonly Bound[],
    { inBlocks: known }: TextState,
  ): AsyncGenerator<Scanned> {
    const slices = chosenSlices(needlesOf(words));
    const mayPass = slices.length > 0 && known.has(formId);
    const ranges = mayPass ? await this.blocks.ranges(formId) : [];
    const end = ranges.at(-1)?.lastId;
    if (!end) {
      yield* this.inTexts(formId, words, order, bounds);
      return;
    }
    const inBlocks = this.inBlocks(formId, words, order, bounds, { ranges, slices });
    const newer = this.inTexts(formId, words, order, [...bounds, ['>', end]]);
    for (const part of order === 'DESC' ? [newer, inBlocks] : [inBlocks, newer]) yield* part;
  }

  /** Searches blocks: of most of their texts, the slices tell that the words are not in them. */
  private async *inBlocks(
    formId: number,
    words: readonly string[],
    order: Order,
    bounds: readonly Bound[],
    { ranges, slices }: { ranges: readonly BlockRange[]; slices: readonly number[] },
  ): AsyncGenerator<Scanned> {
    const within = ranges.filter((range) => overlaps(range, bounds));
    if (order === 'DESC') within.reverse();
    let count = 1;
    for (let at = 0; at < within.length;) {
      const group = within.slice(at, at + count);
      at += count;
      count = Math.min(count * 4, BLOCKS_AT_ONCE);
      const numbers = group.map(({ block }) => block);
      const [from, to] = [Math.min(...numbers), Math.max(...numbers)];
      const bits = await this.blocks.slices(formId, slices, from, to);
      for (const { block, firstId, lastId } of group) {
        const found = bits.get(block) ?? [];
        const positions = found.length === slices.length ? positionsIn(found) : null;
        const last = order === 'DESC' ? firstId : lastId;
        if (positions === null || positions.length > SUSPECTS_MAX) {
          const own: Bound[] = [...bounds, ['>=', firstId], ['<=', lastId]];
          yield* this.inTexts(formId, words, order, own);
        } else if (positions.length > 0) {
          const suspects = idsAt(await this.blocks.idsOf(formId, block), positions);
          if (order === 'DESC') suspects.reverse();
          const inBounds = suspects.filter((id) => bounds.every((bound) => isWithin(id, bound)));
          yield* this.among(formId, words, inBounds);
          yield { ids: [], last };
        }
      }
      const end = group.at(-1);
      if (end) yield { ids: [], last: order === 'DESC' ? end.firstId : end.lastId };
    }
  }

  /** Searches texts one by one, in pieces that take the database a moment each. */
  private async *inTexts(
    formId: number,
    words: readonly string[],
    order: Order,
    bounds: readonly Bound[],
  ): AsyncGenerator<Scanned> {
    const needles = needlesOf(words);
    const beyond = order === 'ASC' ? '>' : '<';
    let rows = PIECE_ROWS_FIRST;
    let matches = MATCHES_FIRST;
    for (let from = [...bounds]; ;) {
      const begin = performance.now();
      const end = await this.texts.lastOf(rows, formId, order, from);
      const piece: Bound[] = end ? [...from, [`${order === 'ASC' ? '<' : '>'}=`, end]] : from;
      const found = await this.texts.matching(formId, needles, order, piece, matches);
      const ms = performance.now() - begin;
      const isFull = found.length === matches;
      const last = (isFull || !end ? found.at(-1)?.id : end) ?? null;
      if (!last) return;
      const looked = found.map(({ id, isLong }) => ({ id, matches: isLong ? null : true }));
      yield* this.decided(formId, words, looked);
      yield { ids: [], last };
      if (!isFull && !end) return;
      if (ms < PIECE_MS_MIN) rows = Math.min(rows * 2, PIECE_ROWS_MAX);
      if (ms > PIECE_MS_MAX) rows = Math.max(Math.floor(rows / 2), PIECE_ROWS_MIN);
      matches = Math.min(matches * 2, MATCHES_MAX);
      from = [...bounds, [beyond, last]];
    }
  }

  /**
   * Finds those of these submissions that have all words, in their order, a piece of the values at a time.
   * @param formId the form of all of them; null for whatever forms
   */
  async *among(
    formId: number | null,
    words: readonly string[],
    ids: readonly Buffer[],
  ): AsyncGenerator<Scanned> {
    const needles = needlesOf(words);
    for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
      const some = ids.slice(from, from + IDS_AT_ONCE);
      const short = new Map(
        (await this.texts.lookInto(formId, needles, some)).map(({ id, isLong, matches }) => [
          keyOf(id),
          isLong ? null : matches,
        ]),
      );
      const looked = some.map((id) => ({ id, matches: short.get(keyOf(id)) ?? null }));
      yield* this.decided(formId, words, looked);
    }
  }

  /**
   * Yields those that match, in their order. Of which that is not known, since they have no text yet or a long one, the
   * values themselves are compared: it says how far it is after each piece of them, since a megabyte takes a moment.
   */
  private async *decided(
    formId: number | null,
    words: readonly string[],
    looked: readonly { id: Buffer; matches: boolean | null }[],
  ): AsyncGenerator<Scanned> {
    const wanted = words.map(fold);
    const unknown = looked.filter(({ matches }) => matches === null).map(({ id }) => id);
    const found = new Set<string>();
    let from = 0;
    const upTo = (end: number, last: Buffer): Scanned => {
      const ids = looked
        .slice(from, end)
        .filter(({ id, matches }) => matches ?? found.has(keyOf(id)))
        .map(({ id }) => id);
      from = end;
      return { ids, last };
    };
    const loaded =
      formId === null
        ? this.submissions.loadOfAll(unknown)
        : this.submissions.load(formId, unknown);
    for await (const some of loaded) {
      for (const { id, values } of some) {
        const text = values.searchText();
        if (wanted.every((word) => text.includes(word))) found.add(keyOf(id));
      }
      const last = some.at(-1)?.id;
      if (last) yield upTo(looked.findIndex(({ id }) => id.equals(last)) + 1, last);
    }
    const last = looked.at(-1)?.id;
    if (last) yield upTo(looked.length, last);
  }
}

/** Returns the bytes to look for, longest first: those are rarest. */
function needlesOf(words: readonly string[]): Buffer[] {
  const folded = [...new Set(words.map(fold))];
  return folded.map((word) => Buffer.from(word)).sort((a, b) => b.length - a.length);
}

/** Returns slices that all texts with these bytes have, as many as are worth reading. */
function chosenSlices(needles: readonly Buffer[]): number[] {
  const all = [...new Set(needles.flatMap((needle) => [...slicesOf(needle)]))];
  const step = Math.max(all.length / SLICES_READ_MAX, 1);
  return all.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}

function idsAt(ids: Buffer, positions: readonly number[]): Buffer[] {
  return positions.map((at) => ids.subarray(at * ID_BYTES, (at + 1) * ID_BYTES));
}

function overlaps({ firstId, lastId }: BlockRange, bounds: readonly Bound[]): boolean {
  return bounds.every((bound) => isWithin(bound[0].startsWith('<') ? firstId : lastId, bound));
}

function isWithin(id: Buffer, [side, end]: Bound): boolean {
  const compared = id.compare(end);
  return compared === 0 ? side.endsWith('=') : compared < 0 === side.startsWith('<');
}
