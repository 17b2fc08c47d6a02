import { Injectable } from '@nestjs/common';
import type { Principal } from '../../access/principal.js';
import {
  isInIndex,
  type PagePosition,
  type SubmissionFilter,
} from '../../submissions/filter/submission-filter.js';
import {
  SubmissionIds,
  type Bound,
  type Order,
  type PageOfIds,
  FROM_NEWEST,
} from '../../submissions/rows/submission-ids.js';
import { SubmissionsRepository } from '../../submissions/rows/submissions.repository.js';
import { SearchGate } from './search-gate.js';
import { SubmissionWalk } from './submission-walk.js';

/** How long a page is looked for, in milliseconds; then it has what was found, and can be gone on with. */
export const SEARCH_BUDGET_MS = 2_000;
/** Submissions that are counted in the index of lists, where their number is not stored: some milliseconds. */
export const COUNTED_MAX = 10_000;
/** Matches that are counted where each has to be looked at. */
export const LOOKED_COUNT_MAX = 1_000;
/** How long those are counted once the page is there, in milliseconds. */
export const COUNT_BUDGET_MS = 100;

/** A page of what a filter means. */
export interface WalkedPage extends PageOfIds {
  /** How many the filter means in all; when `isComplete` is false, at least. */
  total: number;
  isComplete: boolean;
  /** Up to where was looked when the page could have more submissions; null when it is as long as it may be. */
  lookedTo: Buffer | null;
}

/** Finds pages of the submissions of a form: from an index alone where it can, else by a walk of a limited time. */
@Injectable()
export class PageSearch {
  constructor(
    private readonly ids: SubmissionIds,
    private readonly submissions: SubmissionsRepository,
    private readonly walk: SubmissionWalk,
    private readonly gate: SearchGate,
  ) {}

  /**
   * Finds one page of what the filter means for somebody who waits for it, and how much that is in all.
   * @param unwanted breaks a search off between two statements, with its reason
   * @throws SearchUnderWay, SearchesBusy
   */
  page(
    principal: Principal,
    formId: number,
    filter: SubmissionFilter,
    position: PagePosition,
    unwanted?: AbortSignal,
  ): Promise<WalkedPage> {
    const find = () => this.find(formId, filter, position, unwanted);
    return isInIndex(filter) ? find() : this.gate.run(principal, find, unwanted);
  }

  private async find(
    formId: number,
    filter: SubmissionFilter,
    position: PagePosition,
    unwanted?: AbortSignal,
  ): Promise<WalkedPage> {
    if (!isInIndex(filter)) return this.search(formId, filter, position, unwanted);
    const { count, isExact } = await this.submissions.count(formId, filter, COUNTED_MAX);
    // Where the end is unknown, pages are counted from the newest.
    const page = await this.ids.page(formId, filter, position, isExact ? count : Infinity);
    return { ...page, total: count, isComplete: isExact, lookedTo: null };
  }

  /** Finds a page within SEARCH_BUDGET_MS, and the number in all as far as that is quick to find out. */
  private async search(
    formId: number,
    filter: SubmissionFilter,
    { page, perPage, before, after }: PagePosition,
    unwanted?: AbortSignal,
  ): Promise<WalkedPage> {
    const until = { deadline: performance.now() + SEARCH_BUDGET_MS, unwanted };
    const some = (order: Order, bound: Bound, limit: number) =>
      this.first(formId, filter, order, bound, { limit, counted: limit, ...until });
    const isThere = async (order: Order, bound: Bound) => {
      const found = await some(order, bound, 1);
      // What was not looked at may be there: a link to nothing hides less than none.
      return found.ids.length > 0 || found.lookedTo !== null;
    };
    if (before) {
      const found = await some('DESC', ['<', before], perPage + 1);
      const ids = found.ids.slice(0, perPage);
      const newer = await isThere('ASC', ['>', ids[0] ?? before]);
      const lookedTo = found.ids.length > perPage ? null : found.lookedTo;
      const older = found.ids.length > perPage || lookedTo !== null;
      return this.counted(formId, filter, { ids, newer, older }, lookedTo, until);
    }
    if (after) {
      const found = await some('ASC', ['>', after], perPage + 1);
      const ids = found.ids.slice(0, perPage).reverse();
      const older = await isThere('DESC', ['<', ids.at(-1) ?? after]);
      const newer = found.ids.length > perPage || found.lookedTo !== null;
      return this.counted(formId, filter, { ids, newer, older }, null, until);
    }
    const offset = (page - 1) * perPage;
    const limit = offset + perPage + 1;
    const counted = Math.max(limit, LOOKED_COUNT_MAX);
    const extent = { limit, counted, ...until };
    const all = await this.first(formId, filter, 'DESC', FROM_NEWEST, extent);
    const ids = all.ids.slice(offset, offset + perPage);
    const isFull = all.ids.length >= limit;
    return {
      ...{ ids, newer: Math.min(offset, all.ids.length) > 0 },
      older: isFull || all.lookedTo !== null,
      total: all.ids.length,
      isComplete: all.lookedTo === null,
      lookedTo: isFull ? null : all.lookedTo,
    };
  }

  private async counted(
    formId: number,
    filter: SubmissionFilter,
    page: PageOfIds,
    lookedTo: Buffer | null,
    until: Pick<Extent, 'deadline' | 'unwanted'>,
  ): Promise<WalkedPage> {
    const counting = { limit: 0, counted: LOOKED_COUNT_MAX, ...until };
    const all = await this.first(formId, filter, 'DESC', FROM_NEWEST, counting);
    const isComplete = all.lookedTo === null && lookedTo === null;
    return { ...page, total: Math.max(all.ids.length, page.ids.length), isComplete, lookedTo };
  }

  /**
   * Finds the first ids of what the filter means, within a bound; it looks at one piece in any case.
   * @returns at least `limit` of them, or up to where was looked; null when that was everything
   */
  private async first(
    formId: number,
    filter: SubmissionFilter,
    order: Order,
    bound: Bound,
    { limit, counted, deadline, unwanted }: Extent,
  ): Promise<{ ids: Buffer[]; lookedTo: Buffer | null }> {
    const ids: Buffer[] = [];
    let end = deadline;
    if (limit === 0) end = Math.min(end, performance.now() + COUNT_BUDGET_MS);
    for await (const some of this.walk.from(formId, filter, order, bound)) {
      unwanted?.throwIfAborted();
      const isFirst = ids.length < limit && ids.length + some.ids.length >= limit;
      if (isFirst) end = Math.min(end, performance.now() + COUNT_BUDGET_MS);
      ids.push(...some.ids);
      if (ids.length >= counted || performance.now() >= end) return { ids, lookedTo: some.last };
    }
    return { ids, lookedTo: null };
  }
}

/** How far is looked: for a page until `limit` are found, then for their count until there are `counted`. */
interface Extent {
  limit: number;
  counted: number;
  /** Until when for the page, as `performance.now()` tells the time. */
  deadline: number;
  unwanted: AbortSignal | undefined;
}
