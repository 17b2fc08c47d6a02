import { Injectable } from '@nestjs/common';
import { GRANTS_FIRST, visibleByGrant } from '../../forms/access/visible-forms.js';
import { ReadManager, placeholders } from '../../platform/database/sql.js';
import { selectRows } from '../../platform/database/select-rows.js';
import { type SubmissionCount } from './submission-count.entity.js';
import {
  ALL_FORMS,
  DAY,
  HOUR,
  COUNTER_NAMES,
  COUNTERS,
  sumsOf,
  type Counter,
  type Counters,
  type Sums,
} from './sums.js';
import { inSlices } from '../../platform/kernel/slices.js';

/** Forms whose counts one statement reads, and hours that it names: more of both, and servers would read all hours. */
const FORMS_AT_ONCE = 50;
const HOURS_AT_ONCE = 400;
/** Forms that one statement sums up, each for itself: it reads a range of days of each. */
const FORMS_SUMMED_AT_ONCE = 500;

/** Sums received within an hour or a day. */
export type Counted = Pick<SubmissionCount, 'begins'> & Sums;

/** The columns of what is counted, under the names of the code. */
const COUNTED = COUNTER_NAMES.map((name) => `${COUNTERS[name]} AS ${name}`).join(', ');
const SUMMED = COUNTER_NAMES.map((name) => `SUM(${COUNTERS[name]}) AS ${name}`).join(', ');

/** Joins the counts of forms to a query for the forms that a client sees. */
const COUNTS_OF_FORM =
  'CROSS JOIN submission_counts counted ON counted.account_id = form.account_id AND counted.form_id = form.id';

/** Sums that a form received on a day. */
type FormDay = Pick<SubmissionCount, 'formId' | 'begins' | 'submissions'>;

/** Which hours or days are meant, as a condition. */
interface When {
  sql: string;
  values: readonly number[];
}

/** Asks for these hours by their keys. */
function named(hours: readonly number[]): When {
  return { sql: `begins IN (${placeholders(hours)})`, values: hours };
}

/** Asks for these hours among those between the first and the last: forms that are many have rows for few of them. */
function amongAll(hours: readonly number[]): When {
  const sql = `begins BETWEEN ? AND ? AND +begins IN (${placeholders(hours)})`;
  return { sql, values: [Math.min(...hours), Math.max(...hours), ...hours] };
}

/** Reads sums, which servers send as text. */
function numbersOf(row: Record<Counter, unknown>): Sums {
  return sumsOf((name) => Number(row[name]));
}

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

/** Begin of the newest hour in which a form received a submission, from a row that names the form. */
const NEWEST_HOUR = `SELECT begins FROM submission_counts
  WHERE account_id = form.account_id AND form_id = form.id AND length = ${HOUR} AND submissions > 0
  ORDER BY account_id DESC, form_id DESC, length DESC, begins DESC LIMIT 1`;

/** Tells when forms received submissions, by the hours of UTC, numbered from 1970 on. */
@Injectable()
export class RecentCounts {
  constructor(private readonly source: ReadManager) {}

  /** Returns the newest hours, up to `limit`, from `from` on in which a form received submissions, oldest first. */
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

  /** Returns what these forms, of whatever accounts, received within a time; without those that got nothing. */
  async sums(forms: readonly CountedForm[], time: CountedTime): Promise<Map<number, Sums>> {
    const found: [number, Sums][] = [];
    for (const accountId of new Set(forms.map((form) => form.accountId))) {
      const own = forms.filter((form) => form.accountId === accountId);
      const formIds = own.map(({ formId }) => formId);
      found.push(...(await this.ofEach({ accountId, formIds }, time)));
    }
    return new Map(found);
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

  /** Returns what these forms received together in each hour or day from `from` until before `to`, in order. */
  between(of: Counters, length: number, from: number, to: number): Promise<Counted[]> {
    return this.read(of, length, { sql: 'begins >= ? AND begins < ?', values: [from, to] });
  }

  /** Returns what these forms received together in each of these hours, in order. */
  async inHours(of: Counters, hours: readonly number[]): Promise<Counted[]> {
    const found: Counted[] = [];
    for (const some of inSlices(hours, HOURS_AT_ONCE)) {
      const when = of.clientId === undefined ? named(some) : amongAll(some);
      found.push(...(await this.read(of, HOUR, when)));
    }
    return found;
  }

  private async read(
    { accountId, formIds, clientId }: Counters,
    length: number,
    when: When,
  ): Promise<Counted[]> {
    if (clientId !== undefined) return this.ofClient(accountId, clientId, length, when);
    const sums = new Map<number, Counted>();
    for (const some of inSlices(formIds, FORMS_AT_ONCE)) {
      const rows = await selectRows<Counted>(
        this.source,
        `SELECT begins, ${COUNTED} FROM submission_counts
          WHERE account_id = ? AND form_id IN (${placeholders(some)}) AND length = ?
          AND ${when.sql} ORDER BY form_id, length, begins`,
        [accountId, ...some, length, ...when.values],
      );
      if (formIds.length === 1) return rows;
      for (const row of rows) {
        const known = sums.get(row.begins);
        if (!known) sums.set(row.begins, row);
        else for (const name of COUNTER_NAMES) known[name] += row[name];
      }
    }
    return [...sums.values()].sort((a, b) => a.begins - b.begins);
  }

  /** Returns what all forms of a client received together, by one statement however many there are. */
  private async ofClient(
    accountId: number,
    clientId: number,
    length: number,
    when: When,
  ): Promise<Counted[]> {
    const { sql, values } = visibleByGrant(accountId, clientId, COUNTS_OF_FORM);
    const rows = await selectRows<Record<'begins' | Counter, unknown>>(
      this.source,
      `SELECT ${GRANTS_FIRST} counted.begins, ${SUMMED} ${sql}
        AND counted.length = ? AND ${when.sql} GROUP BY counted.begins ORDER BY counted.begins`,
      [...values, length, ...when.values],
    );
    return rows.map((row) => ({ begins: Number(row.begins), ...numbersOf(row) }));
  }

  /** Returns what each of these forms of an account received within a time; without forms that got nothing. */
  async ofEach(
    { accountId, formIds }: Counters,
    { length, from, to }: CountedTime,
  ): Promise<Map<number, Sums>> {
    const sums = new Map<number, Sums>();
    for (const some of inSlices(formIds, FORMS_SUMMED_AT_ONCE)) {
      const rows = await selectRows<Record<'formId' | Counter, unknown>>(
        this.source,
        `SELECT form_id AS formId, ${SUMMED} FROM submission_counts
          WHERE account_id = ? AND form_id IN (${placeholders(some)}) AND length = ?
          AND begins >= ? AND begins < ? GROUP BY form_id`,
        [accountId, ...some, length, from, to],
      );
      for (const row of rows) sums.set(Number(row.formId), numbersOf(row));
    }
    return sums;
  }

  /** Returns what all forms of these accounts received together in the hours or days from `from` until before `to`. */
  async ofAccounts(
    accountIds: readonly number[],
    length: number,
    from: number,
    to: number,
  ): Promise<Sums> {
    const sums = sumsOf(() => 0);
    for (const some of inSlices(accountIds, FORMS_AT_ONCE)) {
      const [row] = await selectRows<Record<Counter, unknown>>(
        this.source,
        `SELECT ${SUMMED} FROM submission_counts WHERE account_id IN (${placeholders(some)})
          AND form_id = ? AND length = ? AND begins >= ? AND begins < ?`,
        [...some, ALL_FORMS, length, from, to],
      );
      if (row) for (const name of COUNTER_NAMES) sums[name] += Number(row[name]);
    }
    return sums;
  }

  /** Returns what each of these forms received on each day from `from` on, but for days without rows. */
  async daysOfEach({ accountId, formIds }: Counters, from: number): Promise<FormDay[]> {
    const found: FormDay[] = [];
    for (const some of inSlices(formIds, FORMS_AT_ONCE)) {
      const rows = await selectRows<FormDay>(
        this.source,
        `SELECT form_id AS formId, begins, submissions FROM submission_counts
          WHERE account_id = ? AND form_id IN (${placeholders(some)}) AND length = ? AND begins >= ?`,
        [accountId, ...some, DAY, from],
      );
      found.push(...rows);
    }
    return found;
  }
}
