import { Injectable } from '@nestjs/common';
import { isWithin, type Bound, type Order } from '../../submissions/rows/submission-ids.js';
import { groupsWithAll, partsFor, trigramsOf, type AnyOf } from './postings.js';
import { TextBlocksRepository, type BlockRange } from './text-blocks.repository.js';
import { needlesOf, TextScan, type Scanned } from './text-scan.js';

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

/** Searches blocks of texts: of most of their texts, the postings tell that the words are not in them. */
@Injectable()
export class BlockSearch {
  constructor(
    private readonly blocks: TextBlocksRepository,
    private readonly scan: TextScan,
  ) {}

  /** Finds the forms that have blocks. */
  forms(): Promise<number[]> {
    return this.blocks.formsWithBlocks();
  }

  /** Finds the blocks of a form, oldest first. */
  ranges(formId: number): Promise<BlockRange[]> {
    return this.blocks.ranges(formId);
  }

  /** Searches these blocks of a form in an order within bounds. */
  async *through(
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
          yield* this.scan.through(formId, words, order, own);
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
    yield* this.scan.inPlaces(formId, words, order, within);
  }
}

/** Tells whether postings say anything of these words: those of one or two bytes are too short. */
export function areInPostings(words: readonly string[]): boolean {
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
function someOf(grams: readonly number[]): number[] {
  const all = [...new Set(grams)];
  const step = Math.max(all.length / TRIGRAMS_MAX, 1);
  return all.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}

/**
 * Returns where the texts of these groups of a block are, those in a row as one.
 * @param ids the first ids of its groups; without them, all of the block is such a place
 */
function placesOf(
  { firstId, lastId }: BlockRange,
  groups: readonly number[],
  ids: Buffer | undefined,
): Bound[][] {
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

function overlaps({ firstId, lastId }: BlockRange, bounds: readonly Bound[]): boolean {
  return bounds.every((bound) => isWithin(bound[0].startsWith('<') ? firstId : lastId, bound));
}
