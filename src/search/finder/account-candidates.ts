import { Injectable } from '@nestjs/common';
import type { Scope } from '../../access/principal.js';
import { BackgroundTask, type TaskRun } from '../../platform/background/background-task.js';
import { inPortions } from '../../platform/background/portions.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { SECOND_MS } from '../../platform/kernel/time/durations.js';
import { isInIndex, type SubmissionFilter } from '../../submissions/filter/submission-filter.js';
import { beyond, type Bound } from '../../submissions/rows/submission-ids.js';
import type { Count } from '../../submissions/rows/submissions.repository.js';
import { AccountRowsRepository } from './account-rows.repository.js';
import { PIECE_ROWS_MAX, type Candidates } from './candidates.js';
import type { Window } from './merged.js';

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
