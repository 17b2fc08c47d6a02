import { Injectable } from '@nestjs/common';
import type { Bound, Order } from '../../submissions/rows/submission-ids.js';
import { areInPostings, BlockSearch } from './block-search.js';
import { SubmissionTextsRepository } from './submission-texts.repository.js';
import { TextScan, type Piece, type Scanned } from './text-scan.js';

export type { Scanned };

/** Forms without blocks that are searched one by one before all of them are at once. */
const ALONE_MAX = 2;

/** State of the texts when a search begins. */
export interface TextState {
  /** The id from which on submissions may lack their text, and `scan` does not find them. */
  movedBelow: Buffer;
  /** The forms that have blocks. */
  inBlocks: ReadonlySet<number>;
  /** Returns the finished part of a search in one of several forms. */
  begun?: (formId: number) => Promise<Piece | undefined>;
}

/** Finds submissions by words that occur in their values. */
@Injectable()
export class TextSearch {
  constructor(
    private readonly texts: SubmissionTextsRepository,
    private readonly blocks: BlockSearch,
    private readonly oneByOne: TextScan,
  ) {}

  /** Reads what a search goes by, for as many forms as it goes through. */
  async state(): Promise<TextState> {
    const movedBelow = await this.texts.movedBelow();
    return { movedBelow, inBlocks: new Set(await this.blocks.forms()) };
  }

  /**
   * Begins searches of several forms, with the same words and bounds as `scan` goes on with. Once some of those without
   * blocks were come to, all of them are searched at once; where a page is found before that, none is in vain.
   */
  begin(
    formIds: readonly number[],
    words: readonly string[],
    order: Order,
    bounds: readonly Bound[],
    state: TextState,
  ): TextState {
    const mayPass = areInPostings(words);
    const small = formIds.filter((id) => !mayPass || !state.inBlocks.has(id));
    let alone = 0;
    let pieces: Promise<Map<number, Piece>> | null = null;
    const begun = async (formId: number) => {
      if (alone++ < ALONE_MAX) return undefined;
      pieces ??= this.oneByOne.firstOfEach(small, words, order, bounds);
      return (await pieces).get(formId);
    };
    return { ...state, begun };
  }

  /** Searches the texts of a form in this order within bounds: through its blocks, then beyond them one by one. */
  async *scan(
    formId: number,
    words: readonly string[],
    order: Order,
    bounds: readonly Bound[],
    { movedBelow, inBlocks, begun }: TextState,
  ): AsyncGenerator<Scanned> {
    const mayPass = areInPostings(words) && inBlocks.has(formId);
    const all = mayPass ? await this.blocks.ranges(formId) : [];
    // Texts may yet come into the others: their clock was ahead.
    const ranges = all.filter(({ lastId }) => lastId.compare(movedBelow) < 0);
    const end = ranges.at(-1)?.lastId;
    if (!end) {
      yield* this.oneByOne.through(formId, words, order, bounds, await begun?.(formId));
      return;
    }
    const older = this.blocks.through(formId, words, order, bounds, ranges);
    const newer = this.oneByOne.through(formId, words, order, [...bounds, ['>', end]]);
    for (const part of order === 'DESC' ? [newer, older] : [older, newer]) yield* part;
  }

  /**
   * Finds those of these submissions that have all words, in their order, a piece of the values at a time.
   * @param formId the form of all of them; null for whatever forms
   */
  among(
    formId: number | null,
    words: readonly string[],
    ids: readonly Buffer[],
  ): AsyncGenerator<Scanned> {
    return this.oneByOne.among(formId, words, ids);
  }
}
