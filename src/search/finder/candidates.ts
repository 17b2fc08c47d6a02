import { inSlices } from '../../platform/kernel/slices.js';
import type { SubmissionFilter } from '../../submissions/filter/submission-filter.js';
import {
  beyond,
  boundsOf,
  inOrderOf,
  isWithin,
  type Bound,
  type Order,
} from '../../submissions/rows/submission-ids.js';
import type { Scanned, TextState } from '../texts/text-search.js';
import { longer } from '../values/value-index.js';

/**
 * Submissions that one statement names, and the next ones look at. With more, a server reaches its statement
 * timeout, and the embedded database blocks everybody else.
 */
export const PIECE_ROWS_MAX = 1_000;
/** Those of the first statement, for a page or two. */
const PIECE_ROWS_FIRST = 250;

/** Submissions that an index names, in the order of time, and up to where it was read. */
export interface Candidates extends Scanned {
  /** How many entries were read. */
  rows: number;
  /** Whether their texts were searched already. */
  isSearched: boolean;
}

/** Returns these ids, each once, in the order of time from a bound on. */
export function inOrder(ids: readonly Buffer[], order: Order, bound: Bound): Buffer[] {
  const sorted = [...ids].sort(inOrderOf(order));
  return sorted.filter((id, at) => {
    const isFirst = at === 0 || sorted[at - 1]?.equals(id) !== true;
    return isFirst && isWithin(id, bound);
  });
}

/** Returns portions of some ids. */
export function* inPieces(ids: readonly Buffer[]): Generator<Buffer[]> {
  yield* inSlices(ids, PIECE_ROWS_MAX);
}

/** Reads ids from a bound on; returns fewer than so many only when these are the last. */
export type ReadIds = (from: Bound, rows: number) => Promise<Buffer[]>;

/** Names what an index has from a bound on, some at a time; their texts are not searched. */
export function candidatesFrom(
  order: Order,
  bound: Bound,
  read: ReadIds,
  rowsFirst = PIECE_ROWS_FIRST,
): AsyncGenerator<Candidates> {
  return unsearched(portionsFrom(order, bound, read, rowsFirst));
}

/** Reads on from the last of each portion until there is no more. */
async function* portionsFrom(
  order: Order,
  bound: Bound,
  read: ReadIds,
  rowsFirst: number,
): AsyncGenerator<Buffer[]> {
  let rows = Math.min(rowsFirst, PIECE_ROWS_MAX);
  for (let from = bound; ; rows = longer(rows, PIECE_ROWS_MAX)) {
    const ids = await read(from, rows);
    yield ids;
    const last = ids.at(-1);
    if (!last || ids.length < rows) return;
    from = beyond(last, order);
  }
}

/** Takes portions of ids for candidates whose texts are not searched. */
export async function* unsearched(
  portions: AsyncIterable<Buffer[]> | Iterable<Buffer[]>,
): AsyncGenerator<Candidates> {
  for await (const ids of portions) {
    const last = ids.at(-1);
    if (last) yield { ids, rows: ids.length, last, isSearched: false };
  }
}

/** Takes what a search of texts found for candidates. */
export async function* searched(pieces: AsyncGenerator<Scanned>): AsyncGenerator<Candidates> {
  for await (const piece of pieces) yield { ...piece, rows: piece.ids.length, isSearched: true };
}

/** Tells whether the texts lead to what a filter means, and no index does. */
export function isByText({
  words,
  values,
  marks,
  held,
  confirmation,
  failed,
  hasFile,
}: SubmissionFilter): boolean {
  const isPlain = !held && confirmation === null && !failed && !hasFile;
  return words.length > 0 && values.length + marks.length === 0 && isPlain;
}

/** Returns the bounds of what a search finds in texts that are all there. */
export function settledBounds(
  filter: SubmissionFilter,
  bound: Bound,
  { movedBelow }: TextState,
): Bound[] {
  return [bound, ['<', movedBelow], ...boundsOf(filter)];
}
