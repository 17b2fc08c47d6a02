import { Injectable } from '@nestjs/common';
import { isWithin, type Bound, type Order, inOrderOf, keyOf } from '../../submissions/rows/submission-ids.js';
import { groupsWithAll, partsFor, trigramsOf, type AnyOf } from './postings.js';
import { TextBlocksRepository, type BlockRange } from './text-blocks.repository.js';
import { needlesOf, TextScan, type Scanned, type Piece } from './text-scan.js';
import { firstUuidAt, timeOf, HOUR_MS } from '../../platform/index.js';
import { SubmissionTextsRepository } from './submission-texts.repository.js';

/** Trigrams that are looked for in a block: further ones hardly leave fewer texts. */
const TRIGRAMS_MAX = 8;
/** Blocks whose postings one statement reads at most; it begins with one. */
const BLOCKS_AT_ONCE = 64;
/** Groups of a block that may have the words, above which all of its texts are searched one by one instead. */
const GROUPS_MAX = 128;
/** Groups, of some blocks, that are looked into before it is said how far it is. */
const GROUPS_AT_ONCE = 256;
const ID_BYTES = 16;

/** Groups of a block that may have the words. */
interface Suspected {
  range: BlockRange;
  groups: readonly number[];
}

/** Tells whether postings say anything of these words: words of one or two bytes are too short. */
function areInPostings(words: readonly string[]) {
  return chosenTrigrams(words).length > 0;
}

/**
 * Returns trigrams that all texts with these words have, as many as are worth looking for: of the words with one spelling
 * together, and of each spelling of the longest other word.
 */
function chosenTrigrams(words: readonly string[]): AnyOf[] {
  const needles = needlesOf(words);
  const plain = needles.filter(({ length }) => length === 1).flat();
  const spelled = needles.find(({ length }) => length > 1) ?? [];
  const each = spelled.map((spelling) => someOf(trigramsOf(spelling)));
  const choices = [[someOf(plain.flatMap(trigramsOf))], each];
  return choices.filter(([first]) => first && first.length > 0);
}

/** Returns some trigrams of all, evenly. */
function someOf(grams: readonly number[]) {
  const all = [...new Set(grams)];
  const step = Math.max(all.length / TRIGRAMS_MAX, 1);
  return all.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}

/**
 * Returns where the texts of these groups of a block are, those in a row as one.
 * @param ids the first ids of its groups; without them, all of the block is such a place
 */
function placesOf({ firstId, lastId }: BlockRange, groups: readonly number[], ids: Buffer | undefined): Bound[][] {
  if (!ids)
    return [
      [
        ['>=', firstId],
        ['<=', lastId],
      ],
    ];
  const idAt = (group: number) => ids.subarray(group * ID_BYTES, (group + 1) * ID_BYTES);
  const first = groups.filter((group, index) => groups[index - 1] !== group - 1);
  const last = groups.filter((group, index) => groups[index + 1] !== group + 1);
  return first.map((group, index) => {
    const next = idAt((last[index] ?? group) + 1);
    return [['>=', idAt(group)], next.length > 0 ? ['<', next] : ['<=', lastId]];
  });
}

function overlaps({ firstId, lastId }: BlockRange, bounds: readonly Bound[]) {
  return bounds.every((bound) => isWithin(bound[0].startsWith('<') ? firstId : lastId, bound));
}

export type { Scanned };

/** Forms without blocks that are searched one by one before all of them are at once. */
const ALONE_MAX = 2;

/** Submissions that may lack their texts, above which each newer one is looked at. */
const LACKING_MAX = 5_000;
/** How far behind the texts are at most, in milliseconds, when all that is newer came with a batch of this version. */
const CAUGHT_UP_MS = HOUR_MS;

/** Submissions that a batch names and that may lack their text, by their forms. */
type Waiting = ReadonlyMap<number, readonly Buffer[]>;

/** State of the texts when a search begins. */
export interface TextState {
  /** The id from which on submissions may lack their text, and `scan` does not find them. */
  movedBelow: Buffer;
  /** All that wait for it; null where there are many. */
  waiting: Waiting | null;
  /** Whether those are all that may lack it. */
  isCaughtUp: boolean;
  /** The forms with many below `movedBelow`, as imports store them: no text leads to these. Null for any form. */
  unsettled: ReadonlySet<number> | null;
  /** The forms that have blocks. */
  inBlocks: ReadonlySet<number>;
  /** Returns the finished part of a search in one of several forms. */
  begun?: (formId: number) => Promise<Piece | undefined>;
}

/** Arguments of a search of a form, which its parts share. */
type Asked = [formId: number, words: readonly string[], order: Order, bounds: readonly Bound[], state: TextState];

/** Finds submissions by words that occur in their values. */
@Injectable()
export class TextSearch {
  /** The first id that this process can give: earlier submissions may be of a version without batches. */
  private readonly began = firstUuidAt(new Date());
  private lackedNone: Promise<boolean> | null = null;

  constructor(
    private readonly texts: SubmissionTextsRepository,
    private readonly oneByOne: TextScan,
    private readonly blocks: TextBlocksRepository,
  ) {}

  /** Reads what a search goes by, for as many forms as it goes through. */
  async state(): Promise<TextState> {
    // Before any text is: what no batch names any more has its text by then.
    const batches = await this.texts.batches();
    const movedBelow = await this.texts.movedBelow();
    const ids = batches?.flat() ?? [];
    const isFew = batches !== null && ids.length <= LACKING_MAX;
    const waiting = isFew ? await this.texts.byForm(ids) : null;
    const unsettled = waiting ? new Set<number>() : await this.unsettled(batches, movedBelow);
    const isCaughtUp = waiting !== null && (await this.isCaughtUp(movedBelow, waiting));
    const inBlocks = new Set(await this.blocks.formsWithBlocks());
    return { movedBelow, waiting, isCaughtUp, unsettled, inBlocks };
  }

  /** Finds the forms with submissions below an id in these batches: such a batch is of an import, and so of one form. */
  private async unsettled(batches: Buffer[][] | null, below: Buffer) {
    const older = batches?.flatMap((ids) => ids.find((id) => id.compare(below) < 0) ?? []);
    return older ? new Set((await this.texts.byForm(older)).keys()) : null;
  }

  private async isCaughtUp(movedBelow: Buffer, waiting: Waiting) {
    if (Date.now() - timeOf(movedBelow).getTime() >= CAUGHT_UP_MS) return false;
    if (movedBelow.compare(this.began) >= 0) return true;
    return (this.lackedNone ??= this.lacksNone(movedBelow, waiting).catch((error: unknown) => {
      this.lackedNone = null;
      throw error;
    }));
  }

  /** Tells whether all that was stored before this process began has its text, or a batch that brings it. */
  private async lacksNone(movedBelow: Buffer, waiting: Waiting) {
    const found = await this.texts.between(movedBelow, this.began, LACKING_MAX + 1);
    const named = new Set([...waiting.values()].flat().map(keyOf));
    return found.length <= LACKING_MAX && found.every(({ id, hasText }) => hasText || named.has(keyOf(id)));
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

  /**
   * Searches the texts of a form in this order within bounds below `movedBelow`, and the values of those that wait for
   * their text all the same.
   */
  settled(...asked: Asked): AsyncGenerator<Scanned> {
    return this.withWaiting(this.scan(...asked), asked);
  }

  /** Searches from `movedBelow` on, as `settled` does before it: it is of use where the state is caught up. */
  recent(...asked: Asked): AsyncGenerator<Scanned> {
    const [formId, words, order, bounds] = asked;
    return this.withWaiting(this.oneByOne.through(formId, words, order, bounds), asked);
  }

  /** Goes through the blocks of a form, then beyond them one by one. */
  private async *scan(...asked: Asked): AsyncGenerator<Scanned> {
    const [formId, words, order, bounds, { movedBelow, inBlocks, begun }] = asked;
    const mayPass = areInPostings(words) && inBlocks.has(formId);
    const all = mayPass ? await this.blocks.ranges(formId) : [];
    // Texts may yet come into the others: their clock was ahead.
    const ranges = all.filter(({ lastId }) => lastId.compare(movedBelow) < 0);
    const end = ranges.at(-1)?.lastId;
    if (!end) {
      yield* this.oneByOne.through(formId, words, order, bounds, await begun?.(formId));
      return;
    }
    const older = this.through(formId, words, order, bounds, ranges);
    const newer = this.oneByOne.through(formId, words, order, [...bounds, ['>', end]]);
    for (const part of order === 'DESC' ? [newer, older] : [older, newer]) yield* part;
  }

  private withWaiting(texts: AsyncGenerator<Scanned>, [formId, words, order, bounds, { waiting }]: Asked) {
    const all = waiting?.get(formId) ?? [];
    const left = all.filter((id) => bounds.every((bound) => isWithin(id, bound)));
    if (left.length === 0) return texts;
    const compare = inOrderOf(order);
    const values = this.oneByOne.among(formId, words, left.sort(compare));
    return together([texts, values], compare);
  }

  /** Searches these blocks of a form in an order within bounds. */
  private async *through(
    formId: number,
    words: readonly string[],
    order: Order,
    bounds: readonly Bound[],
    ranges: readonly BlockRange[],
  ): AsyncGenerator<Scanned> {
    const grams = chosenTrigrams(words);
    const within = ranges.filter((range) => overlaps(range, bounds));
    if (order === 'DESC') within.reverse();
    const lastOf = ({ firstId, lastId }: BlockRange) => (order === 'DESC' ? firstId : lastId);
    let count = 1;
    for (let at = 0; at < within.length;) {
      const some = within.slice(at, at + count);
      at += count;
      count = Math.min(count * 4, BLOCKS_AT_ONCE);
      const numbers = some.map(({ block }) => block);
      const [from, to] = [Math.min(...numbers), Math.max(...numbers)];
      const parts = await this.blocks.parts(formId, partsFor(grams.flat(2)), from, to);
      let suspected: Suspected[] = [];
      let groupCount = 0;
      for (const [index, range] of some.entries()) {
        const groups = groupsWithAll(grams, parts.get(range.block) ?? new Map<number, Buffer>());
        const isSuspected = groups !== null && groups.length <= GROUPS_MAX;
        if (isSuspected && groups.length > 0) suspected.push({ range, groups });
        groupCount += isSuspected ? groups.length : 0;
        if (!isSuspected || groupCount >= GROUPS_AT_ONCE || index === some.length - 1) {
          yield* this.inGroups(formId, words, order, bounds, suspected);
          [suspected, groupCount] = [[], 0];
          if (isSuspected) yield { ids: [], last: lastOf(range) };
        }
        if (!isSuspected) {
          const own: Bound[] = [...bounds, ['>=', range.firstId], ['<=', range.lastId]];
          yield* this.oneByOne.through(formId, words, order, own);
          yield { ids: [], last: lastOf(range) };
        }
      }
    }
  }

  /** Searches groups of texts, of one block after the other. */
  private async *inGroups(
    formId: number,
    words: readonly string[],
    order: Order,
    bounds: readonly Bound[],
    suspected: readonly Suspected[],
  ): AsyncGenerator<Scanned> {
    const blocks = suspected.map(({ range }) => range.block);
    const ids = await this.blocks.idsOf(formId, blocks);
    const places = suspected.flatMap(({ range, groups }) => {
      const own = placesOf(range, groups, ids.get(range.block));
      return order === 'DESC' ? own.reverse() : own;
    });
    const within = places.map((place) => [...bounds, ...place]);
    yield* this.oneByOne.inPlaces(formId, words, order, within);
  }
}

/** Puts what several searches find into one order; what two of them find comes once. */
async function* together(
  searches: AsyncGenerator<Scanned>[],
  compare: (a: Buffer, b: Buffer) => number,
): AsyncGenerator<Scanned> {
  const running = searches.map((search) => ({ search, at: null as Buffer | null }));
  const found = new Map<string, Buffer>();
  try {
    for (;;) {
      const [least] = running.sort((a, b) => (a.at && b.at ? compare(a.at, b.at) : a.at ? 1 : -1));
      const upTo = least?.at ?? null;
      const ids = [...found.values()].filter((id) => !least || (upTo && compare(id, upTo) <= 0));
      for (const id of ids) found.delete(keyOf(id));
      const last = upTo ?? (least ? undefined : ids.sort(compare).at(-1));
      if (last) yield { ids: ids.sort(compare), last };
      if (!least) return;
      const next = await least.search.next();
      if (next.done) running.shift();
      else {
        for (const id of next.value.ids) found.set(keyOf(id), id);
        least.at = next.value.last;
      }
    }
  } finally {
    await Promise.all(searches.map((search) => search.return(undefined)));
  }
}
