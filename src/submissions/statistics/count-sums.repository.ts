import { Injectable } from '@nestjs/common';
import { ReadManager } from '../../platform/database/read-manager.js';
import { selectRows } from '../../platform/database/select-rows.js';
import { DAY, type SubmissionCount } from './submission-count.entity.js';
import { placeholders } from '../../platform/database/statement.js';

/** Forms whose counts one statement sums up, and stretches of time that it does so for. */
const FORMS_AT_ONCE = 50;
const STRETCHES_AT_ONCE = 400;

/** What was received within an hour or a day. */
export type Counted = Pick<SubmissionCount, 'begins' | 'submissions' | 'spam'>;

/** Whose rows are read; ALL_FORMS is a form here. */
interface Counters {
  accountId: number;
  formIds: readonly number[];
}

/** Reads and sums up the counts of submissions. */
@Injectable()
export class CountSumsRepository {
  constructor(private readonly source: ReadManager) {}

  /** Returns what these forms received together in each hour or day from `from` until before `to`, in order. */
  async between(
    { accountId, formIds }: Counters,
    length: number,
    from: number,
    to: number,
  ): Promise<Counted[]> {
    const sums = new Map<number, Counted>();
    for (const some of pieces(formIds)) {
      const rows = await selectRows<Counted>(
        this.source,
        `SELECT begins, submissions, spam FROM submission_counts
          WHERE account_id = ? AND form_id IN (${placeholders(some)}) AND length = ?
          AND begins >= ? AND begins < ? ORDER BY form_id, length, begins`,
        [accountId, ...some, length, from, to],
      );
      if (formIds.length === 1) return rows;
      for (const row of rows) {
        const known = sums.get(row.begins);
        if (!known) sums.set(row.begins, row);
        else {
          known.submissions += row.submissions;
          known.spam += row.spam;
        }
      }
    }
    return [...sums.values()].sort((a, b) => a.begins - b.begins);
  }

  /** Sums up what these forms received in each stretch from a first hour until before a second. */
  async sums(
    { accountId, formIds }: Counters,
    length: number,
    stretches: readonly (readonly [from: number, to: number])[],
  ): Promise<Omit<Counted, 'begins'>[]> {
    const sums = stretches.map(() => ({ submissions: 0, spam: 0 }));
    const asked = stretches.flatMap(([from, to], index) =>
      from < to ? [{ from, to, index }] : [],
    );
    for (let at = 0; at < asked.length; at += STRETCHES_AT_ONCE) {
      const now = asked.slice(at, at + STRETCHES_AT_ONCE);
      for (const some of pieces(formIds)) {
        const parts = now.map(
          ({ from, to, index }) =>
            `SELECT ${index} AS part, SUM(submissions) AS submissions, SUM(spam) AS spam FROM submission_counts
              WHERE account_id = ? AND form_id IN (${placeholders(some)}) AND length = ${length}
              AND begins >= ${from} AND begins < ${to}`,
        );
        const rows = await selectRows<{ part: number; submissions: unknown; spam: unknown }>(
          this.source,
          parts.join(' UNION ALL '),
          now.flatMap(() => [accountId, ...some]),
        );
        for (const row of rows) {
          const sum = sums[row.part];
          if (!sum) continue;
          // Servers send a sum as text, and null for that of no rows.
          sum.submissions += Number(row.submissions);
          sum.spam += Number(row.spam);
        }
      }
    }
    return sums;
  }

  /** Returns what each of these forms received on each day from `from` on, but for days without rows. */
  async daysOfEach(
    { accountId, formIds }: Counters,
    from: number,
  ): Promise<(Counted & { formId: number })[]> {
    const found: (Counted & { formId: number })[] = [];
    for (const some of pieces(formIds)) {
      const rows = await selectRows<Counted & { formId: number }>(
        this.source,
        `SELECT form_id AS formId, begins, submissions, spam FROM submission_counts
          WHERE account_id = ? AND form_id IN (${placeholders(some)}) AND length = ? AND begins >= ?`,
        [accountId, ...some, DAY, from],
      );
      found.push(...rows);
    }
    return found;
  }
}

function pieces(formIds: readonly number[]): number[][] {
  return Array.from({ length: Math.ceil(formIds.length / FORMS_AT_ONCE) }, (_, n) =>
    formIds.slice(n * FORMS_AT_ONCE, (n + 1) * FORMS_AT_ONCE),
  );
}
