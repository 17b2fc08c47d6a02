import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Scope } from '../access/principal.js';
import { visibleTo } from '../forms/visible-forms.js';
import { ReadManager } from '../platform/database/read-manager.js';
import { placeholders } from '../platform/database/statement.js';
import {
  foldersOf,
  marksOf,
  type Condition,
  type Folder,
  type SubmissionFilter,
} from './submission-filter.js';
import { boundsOf, tightest, type Bound, type Order } from './submission-ids.js';

/** The account of what an older version stored. */
const UNNAMED = 0;
/** Of what has no form any more, which nobody sees. */
const NO_ACCOUNT = -1;
/** A hint for servers only: they may sort all of an account instead. */
const BY_ACCOUNT = '/*! FORCE INDEX (ix_submissions_account) */';

/** A submission and its form. */
export interface AccountRow {
  id: Buffer;
  formId: number;
}

/** Finds submissions of all forms of an account by the index that has them in the order of time. */
@Injectable()
export class AccountRowsRepository {
  constructor(private readonly source: ReadManager) {}

  in(tx: EntityManager): AccountRowsRepository {
    return new AccountRowsRepository({ manager: tx });
  }

  /** Tells whether each submission says whose it is. */
  async isComplete(): Promise<boolean> {
    return (await this.unnamed(1)).length === 0;
  }

  /** Says of some submissions that do not say so whose they are. @returns how many */
  async nameSome(limit: number): Promise<number> {
    const ids = await this.unnamed(limit);
    if (ids.length === 0) return 0;
    await this.source.manager.query(
      `UPDATE submissions SET account_id =
        COALESCE((SELECT account_id FROM \`forms\` WHERE forms.id = submissions.form_id), ${NO_ACCOUNT})
        WHERE id IN (${placeholders(ids)})`,
      ids,
    );
    return ids.length;
  }

  /**
   * Returns the first submissions of an account in this order, of deleted forms too that are not purged yet.
   * @param filter its folders and times; the rest is not looked at
   */
  async inOrder(
    accountId: number,
    filter: SubmissionFilter,
    order: Order,
    bound: Bound,
    limit: number,
  ): Promise<AccountRow[]> {
    const narrow = tightest([bound, ...boundsOf(filter)]);
    const folders = foldersOf(filter);
    const within = narrow.map(([side]) => `AND id ${side} ?`).join(' ');
    const parts = folders.map(
      (_, index) => `SELECT id, form_id FROM (SELECT id, form_id FROM submissions ${BY_ACCOUNT}
        WHERE account_id = ? AND trash = ? AND spam = ? AND done = ? ${within}
        ORDER BY id ${order} LIMIT ?) AS f${index}`,
    );
    const rows = await this.source.manager.query<{ id: Buffer; form_id: number }[]>(
      `${parts.join(' UNION ALL ')} ORDER BY id ${order} LIMIT ?`,
      [...folders.flatMap((folder) => keyOf(accountId, folder, narrow, limit)), limit],
    );
    return rows.map(({ id, form_id }) => ({ id, formId: form_id }));
  }

  /** Returns those of these ids that have the marks of a filter, in their order. */
  async among(filter: SubmissionFilter, ids: readonly Buffer[]): Promise<Buffer[]> {
    if (ids.length === 0) return [];
    const { sql, parameters } = marksOf(filter);
    const rows = await this.source.manager.query<{ id: Buffer }[]>(
      `SELECT id FROM submissions WHERE id IN (${placeholders(ids)}) AND ${sql}`,
      [...ids, ...parameters],
    );
    const found = new Set(rows.map(({ id }) => id.toString('latin1')));
    return ids.filter((id) => found.has(id.toString('latin1')));
  }

  /** Returns the ids of forms in a scope that have a row of another table; the first of them. */
  async formsWith(scope: Scope, { sql: there, parameters }: Condition, limit: number) {
    const { sql, values } = visibleTo(scope);
    const rows = await this.source.manager.query<{ id: number }[]>(
      `SELECT form.id ${sql} AND (SELECT form_id FROM ${there} LIMIT 1) IS NOT NULL LIMIT ?`,
      [...values, ...parameters, limit],
    );
    return rows.map(({ id }) => id);
  }

  /** Returns those of these forms that have a row of another table. */
  async formsAmong(formIds: readonly number[], { sql: there, parameters }: Condition) {
    const rows = await this.source.manager.query<{ id: number }[]>(
      `SELECT form.id FROM \`forms\` form WHERE form.id IN (${placeholders(formIds)})
        AND (SELECT form_id FROM ${there} LIMIT 1) IS NOT NULL`,
      [...formIds, ...parameters],
    );
    return rows.map(({ id }) => id);
  }

  private async unnamed(limit: number): Promise<Buffer[]> {
    const rows = await this.source.manager.query<{ id: Buffer }[]>(
      `SELECT id FROM submissions ${BY_ACCOUNT} WHERE account_id = ? LIMIT ?`,
      [UNNAMED, limit],
    );
    return rows.map(({ id }) => id);
  }
}

/** Returns the parameters of the part of a statement about one folder. */
function keyOf(
  accountId: number,
  { trash, spam, done }: Folder,
  bounds: readonly Bound[],
  limit: number,
): unknown[] {
  const position = bounds.map(([, id]) => id);
  return [accountId, Number(trash), Number(spam), Number(done), ...position, limit];
}
