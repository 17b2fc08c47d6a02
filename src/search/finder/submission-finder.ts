import { Injectable } from '@nestjs/common';
import type { Scope, Principal } from '../../accounts/access/index.js';
import { BackgroundTask, type TaskRun, inPortions, SECOND_MS } from '../../platform/index.js';
import { UnitOfWork } from '../../platform/database/index.js';
import {
  isInIndex,
  type SubmissionFilter,
  coversWholeFolders,
  type PagePosition,
} from '../../submissions/filter/submission-filter.js';
import {
  beyond,
  type Bound,
  type Order,
  FROM_NEWEST,
  SubmissionIds,
  type PageOfIds,
} from '../../submissions/rows/submission-ids.js';
import { type Count, SubmissionsRepository } from '../../submissions/rows/submissions.repository.js';
import { AccountRowsRepository } from './account-rows.repository.js';
import {
  PIECE_ROWS_MAX,
  type Candidates,
  candidatesFrom,
  type ReadIds,
  FormCandidates,
  Matcher,
} from './form-candidates.js';
import { type Window, type Stream, COUNT_BUDGET_MS, merged, SEARCH_BUDGET_MS, type Found } from './merged.js';
import { FormQueries, type FormSummary } from '../../forms/form-queries.service.js';
import { ReadStateRepository } from '../../triage/read-state/read-state.repository.js';
import { FormRowsRepository, type Selection, PossibleForms } from './selection.js';
import { SearchGate } from './search-gate.js';

/** Submissions of the first piece where each is looked at. */
const PIECE_ROWS_FIRST = 128;

/** Names all submissions of an account in the order of time, whatever their forms. */
@Injectable()
export class AccountCandidates {
  constructor(
    private readonly rows: AccountRowsRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Tells whether it names every submission: a task has still to name the account of older ones otherwise. */
  isReady() {
    return this.rows.isComplete();
  }

  /** Says in older submissions whose account it is, in small transactions. */
  @BackgroundTask('name accounts of submissions', 10 * SECOND_MS)
  nameAccounts({ signal }: TaskRun): Promise<number> {
    return inPortions((rows) => this.unitOfWork.run((tx) => this.rows.in(tx).nameSome(rows)), signal);
  }

  /**
   * Counts what the scope sees of a filter that an index alone answers. Of an account its newest are looked at; the forms
   * of a client are, which may have little of it.
   * @param max highest number that is told
   */
  async count(scope: Scope, filter: SubmissionFilter, upTo: Bound, max: number): Promise<Count> {
    if (scope.clientId === null && (await this.isReady())) {
      const { looked, seen } = await this.rows.countSeen(scope, filter, upTo, max + 1);
      return { count: Math.min(seen, max), isExact: looked <= max };
    }
    const count = await this.rows.countOfForms(scope, filter, upTo, max + 1);
    return { count: Math.min(count, max), isExact: count <= max };
  }

  /**
   * Names those that the scope sees.
   * @param without forms that are left out
   */
  async *candidates(
    scope: Scope,
    filter: SubmissionFilter,
    { order, bound, limit }: Window,
    without: ReadonlySet<number> = new Set(),
  ): AsyncGenerator<Candidates> {
    const wanted = isInIndex(filter) ? limit + 1 : PIECE_ROWS_FIRST;
    let rows = Math.min(wanted, PIECE_ROWS_MAX);
    for (let from = bound; ; rows = Math.min(rows * 2, PIECE_ROWS_MAX)) {
      const piece = await this.rows.inOrder(scope, filter, order, from, rows);
      const last = piece.at(-1)?.id;
      if (!last) return;
      const seen = piece.filter(({ formId, isSeen }) => isSeen && !without.has(formId));
      yield { ids: seen.map(({ id }) => id), rows: piece.length, last, isSearched: false };
      if (piece.length < rows) return;
      from = beyond(last, order);
    }
  }
}

/** Forms with blocks of texts, of all accounts, that a search looks for among its own. */
const LARGE_FORMS_MAX = 1_000;

/** Chooses the indexes that lead to what is selected: of a form, of several, or of a whole account. */
@Injectable()
export class Streams {
  constructor(
    private readonly rows: FormRowsRepository,
    private readonly form: FormCandidates,
    private readonly account: AccountCandidates,
    private readonly possible: PossibleForms,
    private readonly matcher: Matcher,
    private readonly readState: ReadStateRepository,
    private readonly lists: FormQueries,
  ) {}

  /** Begins with what is likely to lead there with fewest rows. */
  async of({ scope, forms, filter }: Selection, window: Window): Promise<Stream[]> {
    if (forms) {
      const formIds = forms.map(({ id }) => id);
      const left = isInIndex(filter) ? formIds : await this.possible.among(formIds, filter);
      return this.ofForms(left, filter, window);
    }
    const few = await this.possible.in(scope, filter);
    if (few) return this.ofListed(scope, few, filter, window);
    if (!(await this.account.isReady())) return this.ofAll(scope, filter, window);
    if (isInIndex(filter)) return [this.ofAccount(scope, filter, window)];
    // The forms with blocks would have to know where the reader is in each.
    const texts = filter.unread ? null : await this.form.textState(filter);
    const inBlocks = texts ? [...texts.inBlocks].slice(0, LARGE_FORMS_MAX) : [];
    const large = (await this.lists.among(scope, inBlocks)).map(({ id }) => id);
    const own = await this.ofForms(large, filter, window);
    return [...own, this.ofAccount(scope, filter, window, new Set(large))];
  }

  /** Begins with each form that a scope sees, however many. */
  async ofAll(scope: Scope, filter: SubmissionFilter, window: Window): Promise<Stream[]> {
    return this.ofListed(scope, await this.lists.list(scope, null), filter, window);
  }

  /** Begins with a form alone. */
  ofForm(formId: number, filter: SubmissionFilter, { order, bound }: Pick<Window, 'order' | 'bound'>): Stream['found'] {
    const candidates = this.form.candidates(formId, filter, order, bound);
    return this.matcher.matching(formId, filter, candidates);
  }

  private async ofListed(
    scope: Scope,
    forms: readonly FormSummary[],
    filter: SubmissionFilter,
    window: Window,
  ): Promise<Stream[]> {
    const formIds = forms.map(({ id }) => id);
    if (!filter.unread) return this.ofForms(formIds, filter, window);
    const unread = await this.readState.state(filter.unread.reader, formIds);
    return this.ofForms(formIds, { ...filter, unread }, window);
  }

  /**
   * Begins with each form, or with the index of all of them where that tells everything. Of several, those with nothing
   * in the folders are left out, and the others stand before their first submission: so those that have been silent for
   * long are not looked at until then.
   */
  private async ofForms(formIds: readonly number[], filter: SubmissionFilter, window: Window): Promise<Stream[]> {
    const { order, bound, limit } = window;
    if (isInIndex(filter)) {
      const read: ReadIds = (from, rows) => this.rows.inOrder(formIds, filter, order, rows, from);
      const candidates = candidatesFrom(order, bound, read, limit + 1);
      return [{ found: this.matcher.matching(null, filter, candidates), at: null }];
    }
    const [only] = formIds;
    if (only !== undefined && formIds.length === 1) {
      return [{ found: this.ofForm(only, filter, window), at: null }];
    }
    const first = await this.rows.firstOfEach(formIds, filter, order, bound);
    const begun = await this.form.begin([...first.keys()], filter, order, bound);
    return [...first].map(([formId, id]) => {
      const candidates = this.form.candidates(formId, filter, order, bound, begun);
      return { found: this.matcher.matching(formId, filter, candidates), at: beside(id, order) };
    });
  }

  private ofAccount(scope: Scope, filter: SubmissionFilter, window: Window, without?: ReadonlySet<number>): Stream {
    const candidates = this.account.candidates(scope, filter, window, without);
    return { found: this.matcher.matching(null, filter, candidates), at: null };
  }
}

/** Returns the id right before this one in the order. */
function beside(id: Buffer, order: Order): Buffer {
  const step = order === 'ASC' ? -1n : 1n;
  const number = BigInt.asUintN(128, BigInt(`0x${id.toString('hex')}`) + step);
  return Buffer.from(number.toString(16).padStart(32, '0'), 'hex');
}

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
  ) {
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
    return { ids: found.ids.slice(offset), ...{ newer, older: isMore(found), total, isComplete, searchedTo } };
  }

  /** Counts as far as an index tells. @param max highest number that is told, unless it is stored */
  private async countInIndex({ scope, forms, filter }: Selection, upTo: Bound, max: number) {
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
