import { Injectable } from '@nestjs/common';
import type { Scope } from '../../access/principal.js';
import { FormQueries, type FormSummary } from '../../forms/form-queries.service.js';
import { isInIndex, type SubmissionFilter } from '../../submissions/filter/submission-filter.js';
import type { Order } from '../../submissions/rows/submission-ids.js';
import { ReadStateRepository } from '../../triage/read-state/read-state.repository.js';
import { AccountCandidates } from './account-candidates.js';
import { candidatesFrom, type ReadIds } from './candidates.js';
import { FormRowsRepository } from './form-rows.repository.js';
import { FormCandidates } from './form-candidates.js';
import { Matcher } from './matcher.js';
import type { Stream, Window } from './merged.js';
import { PossibleForms } from './possible-forms.js';
import type { Selection } from './selection.js';

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
  ofForm(
    formId: number,
    filter: SubmissionFilter,
    { order, bound }: Pick<Window, 'order' | 'bound'>,
  ): Stream['found'] {
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
  private async ofForms(
    formIds: readonly number[],
    filter: SubmissionFilter,
    window: Window,
  ): Promise<Stream[]> {
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

  private ofAccount(
    scope: Scope,
    filter: SubmissionFilter,
    window: Window,
    without?: ReadonlySet<number>,
  ): Stream {
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
