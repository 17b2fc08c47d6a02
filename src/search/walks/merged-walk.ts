import { Injectable } from '@nestjs/common';
import { InboxRepository } from './inbox.repository.js';
import type { SubmissionFilter } from '../../submissions/filter/submission-filter.js';
import { inOrderOf, type Bound, type Order } from '../../submissions/rows/submission-ids.js';
import { SEARCH_BUDGET_MS } from './page-search.js';
import { SubmissionWalk, type Looked } from './submission-walk.js';

/** Where a page of the inbox begins, and how long it is. */
export interface InboxWindow {
  order: Order;
  bound: Bound;
  limit: number;
  /** Submissions that are looked at, at most; LOOKED_ROWS_MAX by default. */
  lookedMax?: number;
  /** How long it may take, in milliseconds; SEARCH_BUDGET_MS by default. */
  budgetMs?: number;
  /** Breaks a search off between two statements, with its reason. */
  unwanted?: AbortSignal;
}

/** A walk through a form or an account, and how far it is; null before its begin. */
export interface Walk {
  on: AsyncGenerator<Looked>;
  at: Buffer | null;
}

/** The ids that match a filter, in the order of time. */
export interface Found {
  ids: Buffer[];
  /** Whether there are more beyond the last id. */
  hasMore: boolean;
  /**
   * Up to where was looked when the time was over, or that was LOOKED_ROWS_MAX, without finding enough; null when all
   * was looked at.
   */
  lookedTo: Buffer | null;
}

/**
 * Submissions that are looked at for one page. A filter that few fit is then answered by what was found so
 * far, and can be gone on with.
 */
const LOOKED_ROWS_MAX = 20_000;

/**
 * Goes on with several walks at once, one through each form or one through the account, and puts what they find into one
 * order of time.
 */
@Injectable()
export class MergedWalk {
  constructor(
    private readonly inbox: InboxRepository,
    private readonly walk: SubmissionWalk,
  ) {}

  /**
   * Walks through all forms at once: always on in the one that is least far, so that what was found is
   * complete up to there.
   */
  async look(walks: Walk[], window: InboxWindow): Promise<Found> {
    const { order, limit, lookedMax = LOOKED_ROWS_MAX } = window;
    const deadline = performance.now() + (window.budgetMs ?? SEARCH_BUDGET_MS);
    const compare = inOrderOf(order);
    let found: Buffer[] = [];
    let looked = 0;
    try {
      for (;;) {
        const [least] = walks.sort((a, b) => compareStart(a.at, b.at, compare));
        const upTo = least?.at ?? null;
        const complete =
          !least || (upTo !== null && found.filter((id) => compare(upTo, id) >= 0).length > limit);
        const isOver = looked >= lookedMax || performance.now() >= deadline;
        if (!least || complete || (upTo !== null && isOver && looked > 0)) {
          const known = upTo === null ? found : found.filter((id) => compare(upTo, id) >= 0);
          known.sort(compare);
          const hasMore = known.length > limit;
          return { ids: known.slice(0, limit), hasMore, lookedTo: hasMore ? null : upTo };
        }
        const next = await least.on.next();
        window.unwanted?.throwIfAborted();
        if (next.done) walks.splice(0, 1);
        else {
          found = [...found, ...next.value.ids];
          least.at = next.value.last;
          looked += Math.max(next.value.rows, 1);
        }
      }
    } finally {
      await Promise.all(walks.map(({ on }) => on.return(undefined)));
    }
  }

  /**
   * Begins a walk through each form. Of several forms, those with nothing in the folders are left out, and the others
   * stand before their first submission: so those that have been silent for long are not looked at until then.
   */
  async ofForms(
    formIds: readonly number[],
    filter: SubmissionFilter,
    { order, bound }: Pick<InboxWindow, 'order' | 'bound'>,
  ): Promise<Walk[]> {
    if (formIds.length === 1) {
      const on = (formId: number) => this.walk.from(formId, filter, order, bound);
      return formIds.map((formId) => ({ on: on(formId), at: null }));
    }
    const first = await this.inbox.firstOfEach(formIds, filter, order, bound);
    const begun = await this.walk.begin([...first.keys()], filter, order, bound);
    return [...first].map(([formId, id]) => {
      const on = this.walk.from(formId, filter, order, bound, begun);
      return { on, at: beside(id, order) };
    });
  }
}

/** Returns the id right before this one in the order. */
function beside(id: Buffer, order: Order): Buffer {
  const step = order === 'ASC' ? -1n : 1n;
  const number = BigInt.asUintN(128, BigInt(`0x${id.toString('hex')}`) + step);
  return Buffer.from(number.toString(16).padStart(32, '0'), 'hex');
}

/** Compares how far two walks are; one that has not begun comes first. */
function compareStart(
  a: Buffer | null,
  b: Buffer | null,
  compare: (a: Buffer, b: Buffer) => number,
): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  return compare(a, b);
}
