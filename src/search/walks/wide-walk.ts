import { Injectable } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Scope } from '../../access/principal.js';
import { ABOUT_SUBMISSIONS, anyOfKind } from '../../deliveries/rows/delivery-filter.js';
import { FEW_FORMS, FormLists } from '../../forms/form-lists.service.js';
import type { FormSummary } from '../../forms/forms.service.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { inPortions } from '../../platform/background/portions.js';
import { AccountRowsRepository } from './account-rows.repository.js';
import { InboxRepository } from './inbox.repository.js';
import {
  isInIndex,
  type Condition,
  type SubmissionFilter,
} from '../../submissions/filter/submission-filter.js';
import { beyond, type Bound, type Order } from '../../submissions/rows/submission-ids.js';
import {
  SubmissionsRepository,
  type Count,
} from '../../submissions/rows/submissions.repository.js';
import { TextSearch, type Scanned } from '../texts/text-search.js';
import { ValueIndex } from '../values/value-index.js';
import { PIECE_ROWS_MAX } from './candidates.js';
import type { Looked } from './submission-walk.js';
import { BackgroundTask, type TaskRun } from '../../platform/background/background-task.js';
import { SECOND_MS } from '../../platform/kernel/time/durations.js';

/** Submissions of the first piece where each is looked at. */
const PIECE_ROWS_FIRST = 128;

/**
 * Walks through all submissions of an account in the order of time, whatever their forms: for a scope with more than
 * FEW_FORMS, where `SubmissionWalk` would begin once for each form. It leaves out what the scope does not see.
 */
@Injectable()
export class WideWalk {
  constructor(
    private readonly rows: AccountRowsRepository,
    private readonly inbox: InboxRepository,
    private readonly lists: FormLists,
    private readonly submissions: SubmissionsRepository,
    private readonly texts: TextSearch,
    private readonly values: ValueIndex,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Tells whether the walk meets every submission: a task has still to name the account of older ones otherwise. */
  isReady(): Promise<boolean> {
    return this.rows.isComplete();
  }

  /** Says in older submissions whose account it is, in small transactions. */
  @BackgroundTask('name accounts of submissions', 10 * SECOND_MS)
  nameAccounts({ signal }: TaskRun): Promise<number> {
    return inPortions(
      (rows) => this.unitOfWork.run((tx) => this.rows.in(tx).nameSome(rows)),
      signal,
    );
  }

  /**
   * Finds the only forms that can have what a filter asks for, where an index tells. Each form is asked for one row.
   * @returns null when no index tells, or there are more than FEW_FORMS
   */
  async narrowed(scope: Scope, filter: SubmissionFilter): Promise<FormSummary[] | null> {
    const indexed = await this.indexed(filter);
    if (!indexed) return null;
    const found = await this.rows.formsWith(scope, indexed.there, FEW_FORMS + 1);
    const ids = [...new Set([...found, ...indexed.waiting])];
    return ids.length > FEW_FORMS ? null : this.lists.among(scope, ids);
  }

  /** Returns those of these forms that can have what a filter asks for; all of them where no index tells. */
  async among(formIds: readonly number[], filter: SubmissionFilter): Promise<readonly number[]> {
    const indexed = formIds.length > 1 ? await this.indexed(filter) : null;
    if (!indexed) return formIds;
    const found = await this.rows.formsAmong(formIds, indexed.there);
    const left = new Set([...found, ...indexed.waiting]);
    return formIds.filter((id) => left.has(id));
  }

  /**
   * Returns the expression that has a value for a form that has what a filter asks for, and the forms of what waits to be
   * indexed; null where no index tells.
   */
  private async indexed(
    filter: SubmissionFilter,
  ): Promise<{ there: Condition; waiting: number[] } | null> {
    const [value] = filter.values;
    const [mark] = filter.marks;
    if (value) {
      const digest = Buffer.from(value.digest, 'hex');
      const sql = firstOf('submission_values v WHERE v.form_id = form.id AND v.digest = ?');
      // What waits to be indexed is read first: it is then in one of the two.
      const ids = await this.values.waitingFor(value);
      const waiting = (await this.inbox.states(ids)).map(({ formId }) => formId);
      return { there: { sql, parameters: [digest] }, waiting };
    }
    const there = (sql: string, ...parameters: unknown[]) => {
      return { there: { sql, parameters }, waiting: [] };
    };
    if (mark !== undefined) {
      return there(firstOf('submission_marks m WHERE m.form_id = form.id AND m.mark = ?'), mark);
    }
    if (filter.held) {
      return there(firstOf("submission_verdicts v WHERE v.form_id = form.id AND v.band = 'held'"));
    }
    if (filter.failed) {
      const kinds = ABOUT_SUBMISSIONS.map(() => anyOfKind('failed')).join(', ');
      return there(`COALESCE(${kinds})`, ...ABOUT_SUBMISSIONS);
    }
    return filter.hasFile ? there(firstOf('files f WHERE f.form_id = form.id')) : null;
  }

  /**
   * Counts what the scope sees up to an id, of a filter that an index alone answers. Of an account its newest are looked
   * at; the forms of a client are, which may have little of it.
   * @param max highest number that is told
   */
  async count(scope: Scope, filter: SubmissionFilter, upTo: Buffer, max: number): Promise<Count> {
    const bound: Bound = ['<=', upTo];
    if (scope.clientId === null && (await this.isReady())) {
      const { looked, seen } = await this.rows.countSeen(scope, filter, bound, max + 1);
      return { count: Math.min(seen, max), isExact: looked <= max };
    }
    const count = await this.rows.countOfForms(scope, filter, bound, max + 1);
    return { count: Math.min(count, max), isExact: count <= max };
  }

  /**
   * Finds the ids of what the filter means, in this order from a bound on; others get a turn between.
   * @param limit how many are wanted
   * @param without forms that are left out
   */
  async *from(
    scope: Scope,
    filter: SubmissionFilter,
    order: Order,
    bound: Bound,
    limit: number,
    without: ReadonlySet<number> = new Set(),
  ): AsyncGenerator<Looked> {
    const wanted = isInIndex(filter) ? limit + 1 : PIECE_ROWS_FIRST;
    let rows = Math.min(wanted, PIECE_ROWS_MAX);
    for (let from = bound; ; rows = Math.min(rows * 2, PIECE_ROWS_MAX)) {
      const piece = await this.rows.inOrder(scope, filter, order, from, rows);
      const last = piece.at(-1)?.id;
      if (!last) return;
      const seen = piece.filter(({ formId, isSeen }) => isSeen && !without.has(formId));
      const ids = seen.map(({ id }) => id);
      let left = piece.length;
      if (!isInIndex(filter)) {
        for await (const { ids: fitting, last: upTo } of this.fitting(filter, ids)) {
          yield { ids: fitting, rows: Math.min(fitting.length, left), last: upTo };
          left -= Math.min(fitting.length, left);
          await nextTurn();
        }
      }
      yield { ids: isInIndex(filter) ? ids : [], rows: left, last };
      if (piece.length < rows) return;
      from = beyond(last, order);
      await nextTurn();
    }
  }

  /** Yields those that the filter means, and how far it is after each piece of the values. */
  private async *fitting(filter: SubmissionFilter, ids: Buffer[]): AsyncGenerator<Scanned> {
    const marked = await this.rows.among(filter, ids);
    const last = marked.at(-1);
    if (!last) return;
    const { words, values: lookups } = filter;
    const pieces =
      words.length === 0 ? [{ ids: marked, last }] : this.texts.among(null, words, marked);
    for await (const piece of pieces) {
      if (lookups.length === 0) yield piece;
      else yield* this.submissions.exact(lookups, piece.ids);
    }
  }
}

/** Returns the expression that has a value when a form has a row of another table. */
function firstOf(rows: string): string {
  return `(SELECT form_id FROM ${rows} LIMIT 1)`;
}
