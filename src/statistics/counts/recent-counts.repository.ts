import { Injectable } from '@nestjs/common';
import { ReadManager } from '../../platform/database/transactional-repository.js';
import { selectRows } from '../../platform/database/select-rows.js';
import { placeholders } from '../../platform/database/statement.js';
import { ALL_FORMS, type DAY, HOUR } from './submission-count.entity.js';

/** A form, and the account that its counts are kept under. */
export interface CountedForm {
  formId: number;
  accountId: number;
}

/** Whole hours, or whole days of UTC, from the begin of one until before that of another. */
export interface CountedTime {
  length: typeof HOUR | typeof DAY;
  from: number;
  to: number;
}

/** Amounts that a form received within a time. */
export interface RecentSums {
  submissions: number;
  spam: number;
}

/** Begin of the newest hour in which a form received a submission, from a row that names the form. */
const NEWEST_HOUR = `SELECT begins FROM submission_counts
  WHERE account_id = form.account_id AND form_id = form.id AND length = ${HOUR} AND submissions > 0
  ORDER BY account_id DESC, form_id DESC, length DESC, begins DESC LIMIT 1`;

/** Reads when forms received something, hour by hour. */
@Injectable()
export class RecentCountsRepository {
  constructor(private readonly source: ReadManager) {}

  /** Returns the newest hours in which a form received submissions, oldest first. */
  async activeHours({ accountId, formId }: CountedForm, from: number, limit: number) {
    const rows = await selectRows<{ begins: number }>(
      this.source,
      `SELECT begins FROM submission_counts
        WHERE account_id = ? AND form_id = ? AND length = ? AND begins >= ? AND submissions > 0
        ORDER BY account_id DESC, form_id DESC, length DESC, begins DESC LIMIT ?`,
      [accountId, formId, HOUR, from, limit],
    );
    return rows.map(({ begins }) => begins).reverse();
  }

  /** Returns the newest hour in which each of these forms received a submission; without forms that have none. */
  async newestHours(formIds: readonly number[]): Promise<Map<number, number>> {
    if (formIds.length === 0) return new Map();
    const rows = await selectRows<{ id: number; newest: number | null }>(
      this.source,
      `SELECT form.id AS id, (${NEWEST_HOUR}) AS newest FROM \`forms\` form
        WHERE form.id IN (${placeholders(formIds)})`,
      formIds,
    );
    return new Map(rows.flatMap(({ id, newest }) => (newest === null ? [] : [[id, newest]])));
  }

  /** Returns what these forms of one account received from one hour until before another; without those that got nothing. */
  async sums(
    accountId: number,
    formIds: readonly number[],
    { length, from, to }: CountedTime,
  ): Promise<Map<number, RecentSums>> {
    if (formIds.length === 0) return new Map();
    const rows = await selectRows<{ formId: number; submissions: unknown; spam: unknown }>(
      this.source,
      `SELECT form_id AS formId, SUM(submissions) AS submissions, SUM(spam) AS spam
        FROM submission_counts
        WHERE account_id = ? AND form_id IN (${placeholders(formIds)}) AND length = ?
        AND begins >= ? AND begins < ? GROUP BY form_id`,
      [accountId, ...formIds, length, from, to],
    );
    return new Map(
      rows.map(({ formId, submissions, spam }) => [
        formId,
        { submissions: Number(submissions), spam: Number(spam) },
      ]),
    );
  }

  /** Returns the hours from one on in which any form of these accounts received a submission, in no order. */
  async hoursOfAccounts(accountIds: readonly number[], from: number): Promise<number[]> {
    if (accountIds.length === 0) return [];
    const rows = await selectRows<{ begins: number }>(
      this.source,
      `SELECT begins FROM submission_counts
        WHERE account_id IN (${placeholders(accountIds)}) AND form_id = ? AND length = ? AND begins >= ?
        AND submissions > 0 GROUP BY begins`,
      [...accountIds, ALL_FORMS, HOUR, from],
    );
    return rows.map(({ begins }) => begins);
  }
}
