import { Injectable } from '@nestjs/common';
import type { Scope } from '../../accounts/access/index.js';
import { GRANTS_FIRST, seenBy, visibleByGrant, visibleInOrder, visibleTo } from '../../forms/access/visible-forms.js';
import { TransactionalRepository, placeholders, selectRows } from '../../platform/database/index.js';
import {
  foldersOf,
  type Condition,
  type Folder,
  type SubmissionFilter,
} from '../../submissions/filter/submission-filter.js';
import { boundsOf, BY_LIST, tightest, type Bound, type Order } from '../../submissions/rows/submission-ids.js';

/** The account of what an older version stored. */
const UNNAMED = 0;
/** Account of submissions without a form, which nobody sees. */
const NO_ACCOUNT = -1;
/** A hint for servers only: they may sort all of an account instead. */
const BY_ACCOUNT = '/*! FORCE INDEX (ix_submissions_account) */';

/** A submission, its form, and whether the scope sees that. */
export interface AccountRow {
  id: Buffer;
  formId: number;
  isSeen: boolean;
}

/** Finds submissions of all forms of an account by the index that has them in the order of time. */
@Injectable()
export class AccountRowsRepository extends TransactionalRepository {
  /** Tells whether each submission says whose it is. */
  async isComplete() {
    return (await this.unnamed(1)).length === 0;
  }

  /** Says of some submissions that do not say so whose they are. @returns how many */
  async nameSome(limit: number) {
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
    scope: Scope,
    filter: SubmissionFilter,
    order: Order,
    bound: Bound,
    limit: number,
  ): Promise<AccountRow[]> {
    const first = firstOf(scope, filter, order, bound, limit);
    const rows = await selectRows<{ id: Buffer; formId: number; seen: number | null }>(
      this.source,
      `SELECT found.id AS id, found.form_id AS formId, ${first.seen} AS seen ${first.sql}
        ORDER BY found.id ${order}`,
      first.parameters,
    );
    return rows.map(({ id, formId, seen }) => ({ id, formId, isSeen: seen !== null }));
  }

  /**
   * Counts what the scope sees of the newest submissions of an account.
   * @param filter its folders and times; the rest is not looked at
   * @param limit how many submissions are looked at
   * @returns also how many were looked at
   */
  async countSeen(
    scope: Scope,
    filter: SubmissionFilter,
    bound: Bound,
    limit: number,
  ): Promise<{ looked: number; seen: number }> {
    const first = firstOf(scope, filter, 'DESC', bound, limit);
    const [row] = await selectRows<Record<'looked' | 'seen', number | string>>(
      this.source,
      `SELECT COUNT(*) AS looked, COUNT(${first.seen}) AS seen ${first.sql}`,
      first.parameters,
    );
    return { looked: Number(row?.looked), seen: Number(row?.seen) };
  }

  /**
   * Counts the submissions of the forms that a scope sees, form by form, up to `max`. Forms without any cost a look into
   * the index.
   * @param filter its folders and times; the rest is not looked at
   */
  async countOfForms(scope: Scope, filter: SubmissionFilter, bound: Bound, max: number) {
    const { accountId, clientId } = scope;
    const submissions = `CROSS JOIN submissions s ${BY_LIST} ON s.form_id = form.id`;
    const { sql, values } =
      clientId === null ? visibleInOrder(scope, submissions) : visibleByGrant(accountId, clientId, submissions);
    const narrow = tightest([bound, ...boundsOf(filter)]);
    const within = narrow.map(([side]) => `AND s.id ${side} ?`).join(' ');
    let count = 0;
    for (const folder of foldersOf(filter)) {
      if (count >= max) break;
      const [row] = await selectRows<{ n: number | string }>(
        this.source,
        `SELECT COUNT(*) AS n FROM (SELECT ${GRANTS_FIRST} s.id ${sql}
          AND s.trash = ? AND s.spam = ? AND s.done = ? ${within} LIMIT ?) AS counted`,
        [...values, ...keyOf(folder, narrow, max - count)],
      );
      count += Number(row?.n);
    }
    return count;
  }

  /**
   * Returns the ids of forms for which an expression in SQL has a value; the first of them.
   * @param among a scope, or forms
   */
  async formsWith(
    among: Scope | readonly number[],
    { sql: there, parameters }: Condition,
    limit: number,
  ): Promise<number[]> {
    const { sql, values } = 'accountId' in among ? visibleTo(among) : formsNamed(among);
    const rows = await selectRows<{ id: number }>(
      this.source,
      `SELECT form.id ${sql} AND ${there} IS NOT NULL LIMIT ?`,
      [...values, ...parameters, limit],
    );
    return rows.map(({ id }) => id);
  }

  private async unnamed(limit: number) {
    const rows = await selectRows<{ id: Buffer }>(
      this.source,
      `SELECT id FROM submissions ${BY_ACCOUNT} WHERE account_id = ? LIMIT ?`,
      [UNNAMED, limit],
    );
    return rows.map(({ id }) => id);
  }
}

/** Returns the FROM and WHERE of these forms. */
function formsNamed(ids: readonly number[]) {
  return { sql: `FROM \`forms\` form WHERE form.id IN (${placeholders(ids)})`, values: ids };
}

/** Returns the FROM of the first submissions of an account as `found`, with the column that tells whether they are seen. */
function firstOf(
  scope: Scope,
  filter: SubmissionFilter,
  order: Order,
  bound: Bound,
  limit: number,
): Condition & { seen: string } {
  const { accountId } = scope;
  const narrow = tightest([bound, ...boundsOf(filter)]);
  const folders = foldersOf(filter);
  const within = narrow.map(([side]) => `AND id ${side} ?`).join(' ');
  const parts = folders.map(
    (_, index) => `SELECT id, form_id FROM (SELECT id, form_id FROM submissions ${BY_ACCOUNT}
      WHERE account_id = ? AND trash = ? AND spam = ? AND done = ? ${within}
      ORDER BY id ${order} LIMIT ?) AS f${index}`,
  );
  const { sql, values, seen } = seenBy(scope, 'found.form_id');
  return {
    seen,
    sql: `FROM (${parts.join(' UNION ALL ')} ORDER BY id ${order} LIMIT ?) AS found ${sql}`,
    parameters: [...folders.flatMap((folder) => [accountId, ...keyOf(folder, narrow, limit)]), ...[limit, ...values]],
  };
}

/** Returns the parameters of the part of a statement about one folder. */
function keyOf({ trash, spam, done }: Folder, bounds: readonly Bound[], limit: number): unknown[] {
  const position = bounds.map(([, id]) => id);
  return [Number(trash), Number(spam), Number(done), ...position, limit];
}
