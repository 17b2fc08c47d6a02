import { Injectable } from '@nestjs/common';
import type { Principal } from '../../access/principal.js';
import {
  coversWholeFolders,
  isInIndex,
  type PagePosition,
  type SubmissionFilter,
} from '../../submissions/filter/submission-filter.js';
import {
  FROM_NEWEST,
  SubmissionIds,
  type Bound,
  type Order,
  type PageOfIds,
} from '../../submissions/rows/submission-ids.js';
import {
  SubmissionsRepository,
  type Count,
} from '../../submissions/rows/submissions.repository.js';
import { AccountCandidates } from './account-candidates.js';
import { FormRowsRepository } from './form-rows.repository.js';
import { COUNT_BUDGET_MS, merged, SEARCH_BUDGET_MS, type Found, type Window } from './merged.js';
import { SearchGate } from './search-gate.js';
import type { Selection } from './selection.js';
import { Streams } from './streams.js';

export type { Found, Window };

/** Submissions that are counted in the index of lists, where their number is not stored: some milliseconds. */
const COUNTED_MAX = 10_000;
/** Matches that are counted where each has to be looked at. */
const SEARCHED_COUNT_MAX = 1_000;

/** A page of what a filter means in a form. */
export interface FoundPage extends PageOfIds {
  /** How many the filter means in all; when `isComplete` is false, at least. */
  total: number;
  isComplete: boolean;
  /** Up to where was searched when the page could have more submissions; null when it is as long as it may be. */
  searchedTo: Buffer | null;
}

/**
 * Finds submissions in the order of time: indexes name candidates, `Matcher` tells which of them are meant, `merged` puts them
 * into one order within a budget.
 */
@Injectable()
export class SubmissionFinder {
  constructor(
    private readonly streams: Streams,
    private readonly gate: SearchGate,
    private readonly ids: SubmissionIds,
    private readonly submissions: SubmissionsRepository,
    private readonly rows: FormRowsRepository,
    private readonly account: AccountCandidates,
  ) {}

  /**
   * Does the same as `find` for somebody who waits for it.
   * @throws SearchUnderWay, SearchesBusy
   */
  findFor(principal: Principal, selection: Selection, window: Window): Promise<Found> {
    const find = () => this.find(selection, window);
    return isInIndex(selection.filter) ? find() : this.gate.run(principal, find, window.unwanted);
  }

  /** Finds the first submissions of a selection, within a window. */
  async find(selection: Selection, window: Window): Promise<Found> {
    const { scope, forms, filter } = selection;
    const found = await merged(await this.streams.of(selection, window), window);
    if (forms || !isInIndex(filter) || found.searchedTo === null) return found;
    // Of a scope that sees little of the account, its forms are asked one by one.
    return merged(await this.streams.ofAll(scope, filter, window), window);
  }

  /** Finds the ids of all that a filter means in a form up to `end`, newest first, some at a time. */
  async *upTo(formId: number, filter: SubmissionFilter, end: Buffer): AsyncGenerator<Buffer[]> {
    const window = { order: 'DESC', bound: ['<=', end] } as const;
    for await (const { ids } of this.streams.ofForm(formId, filter, window)) yield ids;
  }

  /**
   * Counts what is selected up to an id, as far as that takes a moment.
   * @throws SearchUnderWay, SearchesBusy
   */
  async count(principal: Principal, selection: Selection, upTo: Buffer): Promise<Count> {
    const bound: Bound = ['<=', upTo];
    if (isInIndex(selection.filter)) return this.countInIndex(selection, bound, COUNTED_MAX);
    const { ids, hasMore, isComplete } = await this.findFor(principal, selection, {
      ...{ order: 'DESC', bound, limit: SEARCHED_COUNT_MAX, budgetMs: COUNT_BUDGET_MS },
    });
    return { count: ids.length, isExact: isComplete && !hasMore };
  }

  /**
   * Counts what is selected when an index alone tells.
   * @param max highest number that is told
   * @returns null when there are more, or each would have to be looked at
   */
  async countQuickly(selection: Selection, max: number): Promise<number | null> {
    if (!isInIndex(selection.filter)) return null;
    const { count, isExact } = await this.countInIndex(selection, FROM_NEWEST, max);
    return isExact && count <= max ? count : null;
  }

  /**
   * Finds one page of a form for somebody who waits for it, and how much the filter means in all.
   * @param unwanted breaks a search off between two statements, with its reason
   * @throws SearchUnderWay, SearchesBusy
   */
  async page(
    principal: Principal,
    formId: number,
    filter: SubmissionFilter,
    position: PagePosition,
    unwanted?: AbortSignal,
  ): Promise<FoundPage> {
    if (!isInIndex(filter)) {
      const search = () => this.search(formId, filter, position, unwanted);
      return this.gate.run(principal, search, unwanted);
    }
    const { count, isExact } = await this.submissions.count(formId, filter, COUNTED_MAX);
    // Where the end is unknown, pages are counted from the newest.
    const page = await this.ids.page(formId, filter, position, isExact ? count : Infinity);
    return { ...page, total: count, isComplete: isExact, searchedTo: null };
  }

  /** Finds a page within SEARCH_BUDGET_MS, and the number in all as far as that is quick to find out. */
  private async search(
    formId: number,
    filter: SubmissionFilter,
    { page, perPage, before, after }: PagePosition,
    unwanted?: AbortSignal,
  ): Promise<FoundPage> {
    const deadline = performance.now() + SEARCH_BUDGET_MS;
    const find = (order: Order, bound: Bound, limit: number, more: Partial<Window> = {}) => {
      const found = this.streams.ofForm(formId, filter, { order, bound });
      const budgetMs = deadline - performance.now();
      const window = { order, bound, limit, budgetMs, searchedMax: Infinity, unwanted, ...more };
      return merged([{ found, at: null }], window);
    };
    // What was not looked at may be there: a link to nothing hides less than none.
    const isMore = ({ hasMore, searchedTo }: Found) => hasMore || searchedTo !== null;
    const countedMax = SEARCHED_COUNT_MAX;
    const counted = async (page: PageOfIds, searchedTo: Buffer | null): Promise<FoundPage> => {
      const all = await find('DESC', FROM_NEWEST, 0, { countedMax, budgetMs: COUNT_BUDGET_MS });
      const isComplete = all.isComplete && searchedTo === null;
      return { ...page, total: Math.max(all.count, page.ids.length), isComplete, searchedTo };
    };
    if (before) {
      const found = await find('DESC', ['<', before], perPage);
      const { ids, searchedTo } = found;
      const newer = isMore(await find('ASC', ['>', ids[0] ?? before], 0));
      return counted({ ids, newer, older: isMore(found) }, searchedTo);
    }
    if (after) {
      const found = await find('ASC', ['>', after], perPage);
      const ids = found.ids.reverse();
      const older = isMore(await find('DESC', ['<', ids.at(-1) ?? after], 0));
      return counted({ ids, newer: isMore(found), older }, null);
    }
    const offset = (page - 1) * perPage;
    const found = await find('DESC', FROM_NEWEST, offset + perPage, { countedMax });
    const { count: total, isComplete, searchedTo } = found;
    const newer = Math.min(offset, total) > 0;
    return {
      ids: found.ids.slice(offset),
      ...{ newer, older: isMore(found), total, isComplete, searchedTo },
    };
  }

  /** Counts as far as an index tells. @param max highest number that is told, unless it is stored */
  private async countInIndex(
    { scope, forms, filter }: Selection,
    upTo: Bound,
    max: number,
  ): Promise<Count> {
    if (!forms) return this.account.count(scope, filter, upTo, SEARCHED_COUNT_MAX);
    const { spam, trash, done } = filter;
    if (coversWholeFolders(filter) && spam === false && trash === false && done === null) {
      const count = forms.reduce((sum, { submissionCount }) => sum + submissionCount, 0);
      return { count, isExact: true };
    }
    const largest = [...forms].sort((a, b) => b.submissionCount - a.submissionCount);
    const formIds = largest.map(({ id }) => id);
    const count = await this.rows.countUpTo(formIds, filter, max + 1);
    return { count: Math.min(count, max), isExact: count <= max };
  }
}
