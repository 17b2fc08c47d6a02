import { Injectable } from '@nestjs/common';
import type { Principal } from '../access/principal.js';
import { FilesService } from '../files/files.service.js';
import type { SubmittedFile } from '../files/submitted-file.entity.js';
import { FormsService, type FormSummary } from '../forms/forms.service.js';
import { timeOf } from '../platform/kernel/uuid.js';
import { InboxRepository } from './inbox.repository.js';
import type { Sought } from './search/filter-lines.service.js';
import { SearchGate } from './search/search-gate.js';
import {
  COUNT_BUDGET_MS,
  COUNTED_MAX,
  LOOKED_COUNT_MAX,
  SEARCH_BUDGET_MS,
} from './search/page-search.js';
import { SubmissionWalk, type Looked } from './search/submission-walk.js';
import {
  coversWholeFolders,
  foldersOf,
  isInIndex,
  type SubmissionFilter,
} from './submission-filter.js';
import type { Bound, Order } from './submission-ids.js';
import type { Submission } from './submission.entity.js';
import type { Count } from './submissions.repository.js';

/** A submission in the inbox, with its form and its files. */
export interface InboxEntry {
  form: Pick<FormSummary, 'name' | 'identifier' | 'previewFields'>;
  submission: Submission;
  files: SubmittedFile[];
}

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

/** Finds submissions over all forms of a scope. */
@Injectable()
export class InboxService {
  constructor(
    private readonly inbox: InboxRepository,
    private readonly walk: SubmissionWalk,
    private readonly gate: SearchGate,
    private readonly forms: FormsService,
    private readonly files: FilesService,
  ) {}

  /**
   * Does the same as `find` for somebody who waits for it.
   * @throws SearchUnderWay, SearchesBusy
   */
  async findFor({ reader }: Principal, sought: Sought, window: InboxWindow): Promise<Found> {
    if (sought.filter.words.length === 0) return this.find(sought, window);
    return this.gate.run(reader, () => this.find(sought, window), window.unwanted);
  }

  /** Finds the first submissions that are sought, within a window. */
  async find({ forms, filter }: Sought, window: InboxWindow): Promise<Found> {
    const { order, bound, limit } = window;
    const formIds = forms.map(({ id }) => id);
    if (!isInIndex(filter)) return this.look(formIds, filter, window);
    const ids = await this.inbox.inOrder(formIds, filter, order, bound, limit + 1);
    return { ids: ids.slice(0, limit), hasMore: ids.length > limit, lookedTo: null };
  }

  /**
   * Counts what is sought up to an id, as far as that takes a moment.
   * @throws SearchUnderWay, SearchesBusy
   */
  async count(principal: Principal, sought: Sought, upTo: Buffer): Promise<Count> {
    const { forms, filter } = sought;
    const { spam, trash, done } = filter;
    if (coversWholeFolders(filter) && spam === false && trash === false && done === null) {
      const count = forms.reduce((sum, { submissionCount }) => sum + submissionCount, 0);
      return { count, isExact: true };
    }
    if (isInIndex(filter)) {
      const count = await this.countQuickly(sought, COUNTED_MAX);
      return { count: count ?? COUNTED_MAX, isExact: count !== null };
    }
    const found = await this.findFor(principal, sought, {
      ...{ order: 'DESC', bound: ['<=', upTo] },
      ...{ limit: LOOKED_COUNT_MAX, budgetMs: COUNT_BUDGET_MS },
    });
    return { count: found.ids.length, isExact: !found.hasMore && found.lookedTo === null };
  }

  /**
   * Counts what is sought when an index alone tells.
   * @param max highest number that is told
   * @returns null when there are more, or each would have to be looked at
   */
  async countQuickly({ forms, filter }: Sought, max: number): Promise<number | null> {
    if (!isInIndex(filter)) return null;
    const formIds = forms.map(({ id }) => id);
    const count = await this.inbox.countUpTo(formIds, filter, max + 1);
    return count > max ? null : count;
  }

  /** Reads submissions in the order of these ids, some at a time; others than of these forms are left out. */
  async *read(forms: readonly FormSummary[], ids: Buffer[]): AsyncGenerator<InboxEntry[]> {
    const byId = new Map(forms.map((form) => [form.id, form]));
    for await (const some of this.inbox.load(ids)) yield await this.withFiles(some, byId);
  }

  /** Returns when each of these forms got its newest submission; those without one are left out. */
  async latest(forms: readonly FormSummary[]): Promise<Map<number, Date>> {
    const ids = forms.map(({ id }) => id);
    const found = await this.inbox.latestOfEach(
      ids,
      foldersOf({ spam: false, trash: false, done: null }),
    );
    return new Map(found.map(([formId, id]) => [formId, timeOf(id)]));
  }

  /**
   * Walks through all forms at once: always on in the one that is least far, so that what was found is
   * complete up to there.
   */
  private async look(
    formIds: readonly number[],
    filter: SubmissionFilter,
    window: InboxWindow,
  ): Promise<Found> {
    const { order, bound, limit, lookedMax = LOOKED_ROWS_MAX } = window;
    const deadline = performance.now() + (window.budgetMs ?? SEARCH_BUDGET_MS);
    const isBefore = (a: Buffer, b: Buffer) =>
      order === 'ASC' ? a.compare(b) < 0 : a.compare(b) > 0;
    const walks = await this.walks(formIds, filter, order, bound);
    let found: Buffer[] = [];
    let looked = 0;
    try {
      for (;;) {
        const [least] = walks.sort((a, b) => compareStart(a.at, b.at, isBefore));
        const upTo = least?.at ?? null;
        const complete =
          !least || (upTo !== null && found.filter((id) => !isBefore(upTo, id)).length > limit);
        const isOver = looked >= lookedMax || performance.now() >= deadline;
        if (!least || complete || (upTo !== null && isOver && looked > 0)) {
          const known = upTo === null ? found : found.filter((id) => !isBefore(upTo, id));
          known.sort((a, b) => (isBefore(a, b) ? -1 : 1));
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
  private async walks(
    formIds: readonly number[],
    filter: SubmissionFilter,
    order: Order,
    bound: Bound,
  ): Promise<{ on: AsyncGenerator<Looked>; at: Buffer | null }[]> {
    const begun = await this.walk.begin(filter);
    const begin = (formId: number) => this.walk.from(formId, filter, order, bound, begun);
    if (formIds.length === 1) return formIds.map((formId) => ({ on: begin(formId), at: null }));
    const first = await this.inbox.firstOfEach(formIds, filter, order, bound);
    return [...first].map(([formId, id]) => ({ on: begin(formId), at: beside(id, order) }));
  }

  private async withFiles(
    found: Submission[],
    forms: Map<number, FormSummary>,
  ): Promise<InboxEntry[]> {
    const filesOf = await this.files.listByOwner(found.map(({ id }) => id));
    return found.flatMap((submission) => {
      const form = forms.get(submission.formId);
      return form ? [{ form, submission, files: filesOf(submission.id) }] : [];
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
  isBefore: (a: Buffer, b: Buffer) => boolean,
): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  return isBefore(a, b) ? -1 : 1;
}
