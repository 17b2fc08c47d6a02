import { Injectable } from '@nestjs/common';
import type { Principal, Scope } from '../../access/principal.js';
import { FilesService } from '../../files/files.service.js';
import type { SubmittedFile } from '../../files/submitted-file.entity.js';
import { FormLists } from '../../forms/form-lists.service.js';
import { FormsService, type FormSummary } from '../../forms/forms.service.js';
import { timeOf } from '../../platform/kernel/uuid.js';
import { InboxRepository } from '../walks/inbox.repository.js';
import type { Sought } from '../lines/filter-lines.service.js';
import { MergedWalk, type Found, type InboxWindow, type Walk } from '../walks/merged-walk.js';
import { SearchGate } from '../walks/search-gate.js';
import { COUNT_BUDGET_MS, COUNTED_MAX, LOOKED_COUNT_MAX } from '../walks/page-search.js';
import { SubmissionWalk } from '../walks/submission-walk.js';
import { WideWalk } from '../walks/wide-walk.js';
import { ReadStateRepository } from '../../triage/read-state/read-state.repository.js';
import {
  coversWholeFolders,
  EVERYTHING,
  isInIndex,
  type SubmissionFilter,
} from '../../submissions/filter/submission-filter.js';
import type { Submission } from '../../submissions/model/submission.entity.js';
import type { Count } from '../../submissions/rows/submissions.repository.js';
import { FROM_NEWEST } from '../../submissions/rows/submission-ids.js';

export type { Found, InboxWindow };

/** A submission in the inbox, with its form and its files. */
export interface InboxEntry {
  form: Pick<FormSummary, 'name' | 'identifier' | 'previewFields'>;
  submission: Submission;
  files: SubmittedFile[];
}

/** Forms with blocks of texts, of all accounts, that a search looks for among its own. */
const LARGE_FORMS_MAX = 1_000;

/** Finds submissions over all forms of a scope. */
@Injectable()
export class InboxService {
  constructor(
    private readonly inbox: InboxRepository,
    private readonly merged: MergedWalk,
    private readonly walk: SubmissionWalk,
    private readonly wide: WideWalk,
    private readonly readState: ReadStateRepository,
    private readonly lists: FormLists,
    private readonly gate: SearchGate,
    private readonly forms: FormsService,
    private readonly files: FilesService,
  ) {}

  /**
   * Does the same as `find` for somebody who waits for it.
   * @throws SearchUnderWay, SearchesBusy
   */
  async findFor(principal: Principal, sought: Sought, window: InboxWindow): Promise<Found> {
    if (isInIndex(sought.filter)) return this.find(sought, window);
    return this.gate.run(principal, () => this.find(sought, window), window.unwanted);
  }

  /** Finds the first submissions that are sought, within a window. */
  async find({ forms, filter, wide }: Sought, window: InboxWindow): Promise<Found> {
    if (wide) return this.findWide(wide, filter, window);
    const formIds = forms.map(({ id }) => id);
    const narrowed = isInIndex(filter) ? formIds : await this.wide.among(formIds, filter);
    return this.findAmong(narrowed, filter, window);
  }

  /**
   * Counts what is sought up to an id, as far as that takes a moment.
   * @throws SearchUnderWay, SearchesBusy
   */
  async count(principal: Principal, sought: Sought, upTo: Buffer): Promise<Count> {
    const { forms, filter, wide } = sought;
    const { spam, trash, done } = filter;
    if (wide) return this.countWide(wide, filter, upTo);
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
  async countQuickly({ forms, filter, wide }: Sought, max: number): Promise<number | null> {
    if (!isInIndex(filter)) return null;
    if (wide) {
      const { count, isExact } = await this.countWide(wide, filter, FROM_NEWEST[1]);
      return isExact && count <= max ? count : null;
    }
    const largest = [...forms].sort((a, b) => b.submissionCount - a.submissionCount);
    const formIds = largest.map(({ id }) => id);
    const count = await this.inbox.countUpTo(formIds, filter, max + 1);
    return count > max ? null : count;
  }

  /** Reads submissions in the order of these ids, some at a time; others than of the forms are left out. */
  async *read(
    { forms, wide }: Pick<Sought, 'forms' | 'wide'>,
    ids: Buffer[],
  ): AsyncGenerator<InboxEntry[]> {
    const states = wide ? await this.inbox.states(ids) : [];
    const formIds = [...new Set(states.map(({ formId }) => formId))];
    const own = wide ? await this.lists.among(wide, formIds) : forms;
    const byId = new Map(own.map((form) => [form.id, form]));
    const pieces = this.inbox.load(ids);
    // The first piece is mostly all there is.
    const [filesOf, first] = await Promise.all([this.files.listByOwner(ids), pieces.next()]);
    for (let piece = first; !piece.done; piece = await pieces.next()) {
      yield piece.value.flatMap((submission) => {
        const form = byId.get(submission.formId);
        return form ? [{ form, submission, files: filesOf(submission.id) }] : [];
      });
    }
  }

  /** Returns when each of these forms got its newest submission; those without one are left out. */
  async latest(forms: readonly FormSummary[]): Promise<Map<number, Date>> {
    const ids = forms.map(({ id }) => id);
    const filter = { ...EVERYTHING, spam: false, trash: false };
    const found = await this.inbox.firstOfEach(ids, filter, 'DESC', FROM_NEWEST);
    return new Map([...found].map(([formId, id]) => [formId, timeOf(id)]));
  }

  /**
   * Finds the first submissions that are sought in all of many forms: in the few that an index names, else by a walk
   * through the account. Forms with blocks of texts are searched by their own walks.
   */
  private async findWide(
    scope: Scope,
    filter: SubmissionFilter,
    window: InboxWindow,
  ): Promise<Found> {
    const narrowed = await this.wide.narrowed(scope, filter);
    if (narrowed) return this.findListed(scope, narrowed, filter, window);
    if (!(await this.wide.isReady())) return this.findInAll(scope, filter, window);
    if (isInIndex(filter)) {
      const found = await this.merged.look([this.wideWalk(scope, filter, window)], window);
      // Of a scope that sees little of the account, its forms are asked one by one.
      return found.lookedTo === null ? found : this.findInAll(scope, filter, window);
    }
    // Their own walks would have to know where the reader is in each.
    const texts = filter.unread ? null : await this.walk.textState(filter);
    const inBlocks = texts ? [...texts.inBlocks].slice(0, LARGE_FORMS_MAX) : [];
    const large = (await this.lists.among(scope, inBlocks)).map(({ id }) => id);
    const own = await this.merged.ofForms(large, filter, window);
    const rest = this.wideWalk(scope, filter, window, new Set(large));
    return this.merged.look([...own, rest], window);
  }

  private wideWalk(
    scope: Scope,
    filter: SubmissionFilter,
    { order, bound, limit }: InboxWindow,
    without?: ReadonlySet<number>,
  ): Walk {
    return { on: this.wide.from(scope, filter, order, bound, limit, without), at: null };
  }

  private async findInAll(
    scope: Scope,
    filter: SubmissionFilter,
    window: InboxWindow,
  ): Promise<Found> {
    return this.findListed(scope, await this.forms.list(scope, null), filter, window);
  }

  private async findAmong(
    formIds: readonly number[],
    filter: SubmissionFilter,
    window: InboxWindow,
  ): Promise<Found> {
    if (!isInIndex(filter)) {
      return this.merged.look(await this.merged.ofForms(formIds, filter, window), window);
    }
    const { order, bound, limit } = window;
    const ids = await this.inbox.inOrder(formIds, filter, order, bound, limit + 1);
    return { ids: ids.slice(0, limit), hasMore: ids.length > limit, lookedTo: null };
  }

  private async findListed(
    scope: Scope,
    forms: readonly FormSummary[],
    filter: SubmissionFilter,
    window: InboxWindow,
  ): Promise<Found> {
    const ids = forms.map(({ id }) => id);
    if (!filter.unread) return this.findAmong(ids, filter, window);
    const unread = await this.readState.state(filter.unread.reader, ids);
    return this.findAmong(ids, { ...filter, unread }, window);
  }

  /** Counts up to LOOKED_COUNT_MAX. */
  private async countWide(scope: Scope, filter: SubmissionFilter, upTo: Buffer): Promise<Count> {
    if (isInIndex(filter)) return this.wide.count(scope, filter, upTo, LOOKED_COUNT_MAX);
    const found = await this.findWide(scope, filter, {
      ...{ order: 'DESC', bound: ['<=', upTo] },
      ...{ limit: LOOKED_COUNT_MAX, budgetMs: COUNT_BUDGET_MS },
    });
    return { count: found.ids.length, isExact: !found.hasMore && found.lookedTo === null };
  }
}
