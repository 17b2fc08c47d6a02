import { Injectable } from '@nestjs/common';
import { GRANTS_FIRST, visibleByGrant } from '../forms/access/visible-forms.js';
import {
  forUpdateSql,
  onConflictSql,
  selectRows,
  placeholders,
  TransactionalRepository,
} from '../platform/database/index.js';
import { inSlices } from '../platform/index.js';
import { SubmittedValues } from '../submissions/model/submitted-values.js';
import { visitorAddressesOf } from '../submissions/model/visitor-address.js';
import { HOUR, RECEIVED, SUM_NAMES, sumsOf, type Sums, type Whose, type Stretch } from './sums.js';
import { Counter } from './counter.entity.js';

/** Forms that one statement names; fewer where it names hours too, or servers would read all hours. */
const FORMS_AT_ONCE = 500;
const FORMS_WITH_HOURS = 50;
/** Rows that one statement writes, which takes a millisecond. */
const ROWS_AT_ONCE = 250;
/** Submissions in which senders are looked for, and how long these are at most. */
const SENT_MAX = 20;
const PAYLOAD_BYTES = 16 * 1024;

const KEY = ['form_id', 'length', 'name', 'begins', 'item'];
const COLUMNS = {
  ...{ formId: 'c.form_id', name: 'c.name', begins: 'c.begins', item: 'c.item' },
  /** Begin of the half of a day of UTC. */
  half: 'c.begins - c.begins % 12',
} as const;
type Column = keyof typeof COLUMNS;

/** Columns of a row. */
export type Count = Pick<Counter, keyof Counter>;

/** The time and the things that sums are asked for, and the columns that divide them. */
interface Asked<By extends Column> {
  when: readonly Stretch[];
  names?: readonly string[];
  item?: string;
  by: readonly By[];
}

/** A sum of rows that have the same in these columns. */
export type Amount<By extends Column> = Pick<Counter, Exclude<By, 'half'> | 'amount' | 'text'>;

/** Sums of what is received, in one row. */
const SUMS = SUM_NAMES.map((name) => `SUM(CASE c.item WHEN '${name}' THEN c.amount ELSE 0 END) AS ${name}`).join(', ');

const SUBMISSIONS = `length = ${HOUR} AND name = '${RECEIVED}' AND item = 'submissions' AND amount > 0`;
const NEWEST_FIRST = KEY.slice(0, 4).map((column) => `${column} DESC`);
/** Begin of the newest hour in which a form received a submission, from a row that names the form. */
const NEWEST_HOUR = `SELECT begins FROM counters WHERE form_id = form.id AND ${SUBMISSIONS}
  ORDER BY ${NEWEST_FIRST.join(', ')} LIMIT 1`;

/** Joins counters to a query for the forms that a client sees. */
const JOINED = 'CROSS JOIN counters c ON c.form_id = form.id';

/** Reads and writes what is counted by the hour. */
@Injectable()
export class CountersRepository extends TransactionalRepository {
  private readonly rows = this.rowsOf(Counter);

  /** Reads sums; the same parts may come several times. */
  async amounts<By extends Column>(of: Whose, asked: Asked<By>): Promise<Amount<By>[]> {
    const rows = await this.read(of, asked, 'SUM(c.amount) AS amount, MAX(c.text) AS text');
    // Servers send sums as text.
    return rows.map((row) => ({ ...row, amount: Number(row.amount) }) as Amount<By>);
  }

  /** Sums up what was received in a time, for each form, or for what begins at an hour. */
  async sums(of: Whose, time: Stretch, by: 'formId' | 'begins' | 'half'): Promise<Map<number, Sums>> {
    const sums = new Map<number, Sums>();
    const asked = { names: [RECEIVED], when: [time], by: [by] };
    for (const row of await this.read(of, asked, SUMS)) {
      const known = sums.get(Number(row[by]));
      const sum = sumsOf((name) => Number(row[name]) + (known?.[name] ?? 0));
      sums.set(Number(row[by]), sum);
    }
    return sums;
  }

  /** Reads what items are called. */
  texts<By extends Column>(of: Whose, by: readonly By[], names?: string[]): Promise<Amount<By>[]> {
    return this.amounts(of, { ...(names && { names }), by, when: [{ length: 0, from: 0, to: 1 }] });
  }

  /** Returns the newest hours, up to `limit`, from `from` on in which any of these received a submission, oldest first. */
  async activeHours(ids: readonly number[], from: number, limit: number): Promise<number[]> {
    if (ids.length === 0) return [];
    const rows = await selectRows<{ begins: number }>(
      this.source,
      `SELECT DISTINCT begins FROM counters WHERE form_id IN (${placeholders(ids)}) AND ${SUBMISSIONS}
        AND begins >= ? ORDER BY begins DESC LIMIT ?`,
      [...ids, from, limit],
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

  /** Returns the account of each of these forms that is not deleted. */
  async accountsOf(formIds: readonly number[]): Promise<Map<number, number>> {
    const accounts = new Map<number, number>();
    for (const some of inSlices(formIds, FORMS_AT_ONCE)) {
      const found = await selectRows<{ id: number; account: number }>(
        this.source,
        `SELECT id, account_id AS account FROM \`forms\`
          WHERE deleted_at IS NULL AND id IN (${placeholders(some)})`,
        some,
      );
      for (const { id, account } of found) accounts.set(id, account);
    }
    return accounts;
  }

  /** Returns the account of a form, deleted or not, and keeps others from the form until the commit. */
  async lockAccountOf(formId: number) {
    const { manager } = this.source;
    const [form] = await manager.query<{ account_id: number }[]>(
      `SELECT account_id FROM \`forms\` WHERE id = ?${forUpdateSql(manager.dataSource)}`,
      [formId],
    );
    return form?.account_id ?? 0;
  }

  /**
   * Adds to rows that are there or not. Equal amounts go together, as most are 1: an amount has one place in a statement.
   * They are in one order, so that transactions wait for them in one order, with accounts' rows last, which other
   * instances wait for. The text of a row that is there stays.
   */
  async add(rows: readonly Count[]) {
    const sums = new Map<string, Count>();
    for (const row of rows) {
      const { formId, length, name, begins, item } = row;
      const key = `${formId} ${length} ${begins} ${item} ${name}`;
      const amount = row.amount + (sums.get(key)?.amount ?? 0);
      sums.set(key, { ...row, amount });
    }
    const groups = new Map<number, Count[]>();
    for (const [, row] of [...sums].sort(([a], [b]) => (a < b ? 1 : -1))) {
      const group = groups.get(row.amount);
      if (group) group.push(row);
      else groups.set(row.amount, [row]);
    }
    for (const group of groups.values()) {
      for (const some of inSlices(group, ROWS_AT_ONCE)) await this.upsert(some);
    }
  }

  /** @param rows with the same amount, and no key twice */
  private async upsert(rows: readonly Count[]) {
    const { manager } = this.source;
    const values: string[] = [];
    // Written into the statement where they are plain: there are too many to look for their places.
    const literal = (text: string | null) => {
      if (text === null) return 'NULL';
      if (/^\w+$/.test(text)) return `'${text}'`;
      values.push(text);
      return '?';
    };
    const tuples = rows.map(
      ({ formId, length, name, begins, item, amount, text }) =>
        `(${formId},${length},${literal(name)},${begins},${literal(item)},${amount},${literal(text)})`,
    );
    const change = `amount = amount + ${rows[0]?.amount}`;
    await manager.query(
      `INSERT INTO counters (${KEY.join(',')},amount,text) VALUES ${tuples.join(',')}
        ${onConflictSql(manager.dataSource, KEY, change)}`,
      values,
    );
  }

  private async read(of: Whose, asked: Asked<Column>, figures: string) {
    const { when } = asked;
    const found: Record<string, unknown>[][] = [];
    if (when.length === 0) return [];
    const atOnce = when.some(({ hours }) => hours) ? FORMS_WITH_HOURS : FORMS_AT_ONCE;
    for (const ids of of.client ? [of.ids] : inSlices(of.ids, atOnce)) {
      const parts = when.map((stretch) => selectOf({ ...of, ids }, asked, stretch, figures));
      const sql = parts.map((part) => part.sql).join(' UNION ALL ');
      const values = parts.flatMap((part) => part.values);
      found.push(await selectRows<Record<string, unknown>>(this.source, sql, values));
    }
    return found.flat();
  }

  /** Names an item, or takes its name away. */
  async setText(named: Pick<Counter, 'formId' | 'name' | 'item'>, text: string | null) {
    const { formId, name, item } = named;
    await this.rows.update({ formId, length: 0, name, begins: 0, item }, { text });
  }

  /** Removes some rows of a form. @returns them */
  async takeSome(formId: number, limit: number): Promise<Count[]> {
    const found = await this.rows.find({ where: { formId }, take: limit });
    // TypeORM takes the keys away from the entities that it removes.
    const taken = found.map((row) => this.rows.create(row));
    await this.rows.remove(found);
    return taken;
  }

  /** Tells whether a submission of a form that is there still has a value, as far as values are indexed. */
  async isThere(formId: number, digest: string) {
    return (await this.payloadsWith(formId, digest, 1)).length > 0;
  }

  /**
   * Tells whether so many senders had a value of a field, as far as their newest submissions say: by their email address,
   * and each for itself that has none.
   */
  async haveSent(senders: number, formId: number, digest: string) {
    const payloads = await this.payloadsWith(formId, digest, SENT_MAX);
    const found = payloads.flatMap((payload, at): (string | number)[] => {
      if (payload === null) return [];
      const [address] = visitorAddressesOf(SubmittedValues.decode(payload));
      return [address ?? at];
    });
    return new Set(found).size >= senders;
  }

  /** Returns what the newest submissions with a value have; null for what is long. */
  private async payloadsWith(formId: number, digest: string, limit: number) {
    const rows = await this.source.manager.query<{ payload: string | null }[]>(
      `SELECT CASE WHEN OCTET_LENGTH(s.payload) <= ${PAYLOAD_BYTES} THEN s.payload END AS payload
        FROM submission_values entry JOIN submissions s ON s.id = entry.submission_id
        WHERE entry.form_id = ? AND entry.digest = ? ORDER BY entry.submission_id DESC LIMIT ${limit}`,
      [formId, Buffer.from(digest, 'hex')],
    );
    return rows.map(({ payload }) => payload);
  }
}

/** A part of a statement, with the values of its parameters. */
interface Sql {
  sql: string;
  values: readonly (number | string)[];
}

/** Asks for a time, or for hours by their keys. Forms that are many have rows for few of those. */
function within({ length, from, to, hours }: Stretch, isOfMany: boolean): Sql {
  const sql = 'c.length = ? AND c.begins >= ? AND c.begins < ?';
  const values = [length, from, to];
  if (!hours) return { sql, values };
  const named = `c.begins IN (${placeholders(hours)})`;
  return isOfMany
    ? { sql: `${sql} AND +${named}`, values: [...values, ...hours] }
    : { sql: `c.length = ? AND ${named}`, values: [length, ...hours] };
}

function selectOf({ ids, client }: Whose, { names, item, by }: Asked<Column>, when: Stretch, figures: string): Sql {
  const columns = by.map((part) => COLUMNS[part]);
  const shown = by.map((part) => `${COLUMNS[part]} AS ${part}`);
  const rows = client
    ? visibleByGrant(client.accountId, client.clientId, JOINED)
    : { sql: `FROM counters c WHERE c.form_id IN (${placeholders(ids)})`, values: ids };
  const conditions = [
    within(when, client !== undefined),
    ...(names ? [{ sql: `c.name IN (${placeholders(names)})`, values: names }] : []),
    ...(item === undefined ? [] : [{ sql: 'c.item = ?', values: [item] }]),
  ];
  return {
    sql: `SELECT ${client ? GRANTS_FIRST : ''} ${shown.join(', ')}, ${figures}
      ${rows.sql} AND ${conditions.map(({ sql }) => sql).join(' AND ')} GROUP BY ${columns.join(', ')}`,
    values: [...rows.values, ...conditions.flatMap(({ values }) => values)],
  };
}
