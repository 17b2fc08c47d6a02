import { inOrderOf, type Bound, type Order } from '../../submissions/rows/submission-ids.js';
import type { Searched } from './form-candidates.js';

/** How long a page is looked for, in milliseconds; then it has what was found, and can be gone on with. */
export const SEARCH_BUDGET_MS = 2_000;
/** How long more of it is counted once the page is there, in milliseconds. */
export const COUNT_BUDGET_MS = 100;
/** Submissions that are looked at for one page, likewise. */
const SEARCHED_ROWS_MAX = 20_000;

/** Which ids are wanted, and what it may cost to find them. */
export interface Window {
  order: Order;
  bound: Bound;
  limit: number;
  /** Once there are more than `limit`, so many are counted within COUNT_BUDGET_MS; `limit` and one by default. */
  countedMax?: number;
  /** Submissions that are looked at, at most; SEARCHED_ROWS_MAX by default. */
  searchedMax?: number;
  /** How long it may take, in milliseconds; SEARCH_BUDGET_MS by default. */
  budgetMs?: number;
  /** Breaks a search off between two statements, with its reason. */
  unwanted?: AbortSignal | undefined;
}

/** Ids of submissions in the order of time. */
export interface Found {
  /** As many as were wanted, or fewer. */
  ids: Buffer[];
  /** Whether there are more beyond the last id. */
  hasMore: boolean;
  /** How many were found, with those beyond the last id that were counted. */
  count: number;
  /** Whether all was searched, so that there are no more than `count`. */
  isComplete: boolean;
  /** Up to where was searched when the budget was spent before enough was found; null otherwise. */
  searchedTo: Buffer | null;
  /** The id beyond which there may be more; null when there is none. */
  next: Buffer | null;
}

/** Yields what an index leads to; `at` tells how far it was searched, null before its begin. */
export interface Stream {
  found: AsyncGenerator<Searched>;
  at: Buffer | null;
}

/**
 * Puts what several streams lead to into one order of time. It always goes on in the one that is least far, so that
 * what was found is complete up to there, and looks at one piece in any case.
 */
export async function merged(streams: Stream[], window: Window): Promise<Found> {
  const { order, limit, countedMax = limit + 1, searchedMax = SEARCHED_ROWS_MAX } = window;
  const compare = inOrderOf(order);
  const found: Buffer[] = [];
  let end = performance.now() + (window.budgetMs ?? SEARCH_BUDGET_MS);
  let searched = 0;
  try {
    for (;;) {
      const [least] = streams.sort((a, b) => compareStart(a.at, b.at, compare));
      const upTo = least?.at ?? null;
      const isKnown = (id: Buffer) => upTo !== null && compare(upTo, id) >= 0;
      const ids = least ? found.filter(isKnown) : found;
      const hasMore = ids.length > limit;
      if (hasMore) end = Math.min(end, performance.now() + COUNT_BUDGET_MS);
      const isSpent = searched >= searchedMax || performance.now() >= end;
      const isEnough = hasMore && ids.length >= countedMax;
      if (!least || isEnough || (upTo !== null && isSpent && searched > 0)) {
        const wanted = ids.sort(compare).slice(0, limit);
        const searchedTo = hasMore ? null : upTo;
        const next = hasMore ? (wanted.at(-1) ?? null) : searchedTo;
        return { ids: wanted, hasMore, count: ids.length, isComplete: !least, searchedTo, next };
      }
      const next = await least.found.next();
      window.unwanted?.throwIfAborted();
      if (next.done) streams.splice(0, 1);
      else {
        found.push(...next.value.ids);
        least.at = next.value.last;
        searched += Math.max(next.value.rows, 1);
      }
    }
  } finally {
    await Promise.all(streams.map((stream) => stream.found.return(undefined)));
  }
}

/** Compares how far two streams are; one that has not begun comes first. */
function compareStart(a: Buffer | null, b: Buffer | null, compare: (a: Buffer, b: Buffer) => number) {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  return compare(a, b);
}
