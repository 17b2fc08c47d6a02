import { Injectable } from '@nestjs/common';
import { onConflictSql } from '../../platform/database/select-rows.js';
import { TransactionalRepository, placeholders } from '../../platform/database/sql.js';
import { CountsTaken } from '../counts/submission-counts.repository.js';
import { FacetCount, FacetValue } from './facet-value.entity.js';
import { beginOf, LENGTHS } from './stretches.js';
import { inSlices } from '../../platform/kernel/slices.js';
import { FIELD, STOPPED } from '../../submissions/model/facet.js';
import { SubmittedValues } from '../../submissions/model/submitted-values.js';
import { visitorAddressesOf } from '../../submissions/model/visitor-address.js';

/** A facet of a form, or of all forms of an account (ALL_FORMS). */
export interface FacetSet {
  accountId: number;
  formId: number;
  facet: number;
}

/** One page, origin, country or value of it. */
export interface FacetKey extends FacetSet {
  /** Hexadecimal, written by `facetDigest()`. */
  digest: string;
}

/** Returns a key as the key of a map. */
export function textOfKey({ digest, ...set }: FacetKey): string {
  return `${textOfSet(set)} ${digest}`;
}

export function textOfSet({ accountId, formId, facet }: FacetSet): string {
  return `${accountId} ${formId} ${facet}`;
}

/** Columns of a key in the order of the tables. */
const KEY_COLUMNS = ['account_id', 'form_id', 'facet', 'digest'];
const KEY_CONDITION = `(${KEY_COLUMNS.map((column) => `${column} = ?`).join(' AND ')})`;

/** Returns the values of its columns. */
function columnsOf({ accountId, formId, facet, digest }: FacetKey): unknown[] {
  return [accountId, formId, facet, Buffer.from(digest, 'hex')];
}

/** Rows that one statement writes, which takes a millisecond, and that it names: SQLite nests conditions no deeper than 1,000. */
const ROWS_AT_ONCE = 250;
const NAMED_AT_ONCE = 150;

const ROW_KEY = [...KEY_COLUMNS, 'length', 'begins'];
const ROW_CONDITION = `(${KEY_CONDITION} AND length = ? AND begins = ?)`;

/** Amount to add to the counts of an hour. */
export interface HourAmount extends FacetKey {
  hour: number;
  amount: number;
}

/** A row, or what is added to one. */
export interface FacetRow extends FacetKey {
  length: number;
  begins: number;
  submissions: number;
}

/** Reads and writes the counts of pages, origins, countries and values. */
@Injectable()
export class FacetCountsRepository extends TransactionalRepository {
  /** Adds to hours, and to what is made of hours. */
  addToHours(amounts: readonly HourAmount[]): Promise<void> {
    // Each column by its name: to spread objects into rows takes ten times as long.
    return this.add(
      amounts.flatMap(({ accountId, formId, facet, digest, hour, amount: submissions }) =>
        LENGTHS.map((length) => {
          const begins = beginOf(hour, length);
          return { accountId, formId, facet, digest, length, begins, submissions };
        }),
      ),
    );
  }

  /** Adds to rows that are there or not; equal amounts go together, as most are 1. */
  async add(rows: readonly FacetRow[]): Promise<void> {
    const byAmount = new Map<number, FacetRow[]>();
    for (const row of summedUp(rows)) {
      const same = byAmount.get(row.submissions);
      if (same) same.push(row);
      else byAmount.set(row.submissions, [row]);
    }
    byAmount.delete(0);
    for (const [amount, same] of byAmount) {
      for (const some of inSlices(same, ROWS_AT_ONCE)) {
        await this.upsert(some, amount);
      }
    }
  }

  /** Reads how many there are in these hours; keys as `textOfHour` writes them. */
  async inHours(hours: readonly (FacetKey & { hour: number })[]): Promise<Map<string, number>> {
    const { manager } = this.source;
    const found = new Map<string, number>();
    for (const some of inSlices(hours, NAMED_AT_ONCE)) {
      const rows = await manager.query<CountRow[]>(
        `SELECT * FROM facet_counts WHERE ${some.map(() => ROW_CONDITION).join(' OR ')}`,
        some.flatMap((each) => [...columnsOf(each), LENGTHS[0], each.hour]),
      );
      for (const row of rows.map(rowOf)) {
        found.set(textOfHour({ ...row, hour: row.begins }), row.submissions);
      }
    }
    return found;
  }

  /** Reads some rows of these keys. */
  someOf(keys: readonly FacetKey[], limit: number): Promise<FacetRow[]> {
    const any = keys.map(() => KEY_CONDITION).join(' OR ');
    return this.some(`(${any})`, keys.flatMap(columnsOf), limit);
  }

  /** Reads some rows of a form. */
  someOfForm({ accountId, formId }: Omit<FacetSet, 'facet'>, limit: number): Promise<FacetRow[]> {
    return this.some('account_id = ? AND form_id = ?', [accountId, formId], limit);
  }

  /**
   * Removes rows as they were read.
   * @throws CountsTaken when one of them was changed meanwhile
   */
  async remove(rows: readonly FacetRow[]): Promise<void> {
    for (const some of inSlices(rows, NAMED_AT_ONCE)) {
      const any = some.map((_, n) =>
        [...ROW_KEY, 'submissions'].map((column) => `${column} = :${column}_${n}`).join(' AND '),
      );
      const values = some.flatMap((row, n) =>
        [...columnsOf(row), row.length, row.begins, row.submissions].map((value, at) => [
          `${ROW_KEY[at] ?? 'submissions'}_${n}`,
          value,
        ]),
      );
      const { affected } = await this.source.manager
        .getRepository(FacetCount)
        .createQueryBuilder()
        .delete()
        .where(any.map((each) => `(${each})`).join(' OR '), Object.fromEntries(values) as object)
        .execute();
      if (affected !== some.length) throw new CountsTaken();
    }
  }

  private async some(condition: string, values: unknown[], limit: number): Promise<FacetRow[]> {
    const { manager } = this.source;
    const rows = await manager.query<CountRow[]>(
      `SELECT * FROM facet_counts WHERE ${condition} ORDER BY ${ROW_KEY.join(',')} LIMIT ?`,
      [...values, limit],
    );
    return rows.map(rowOf);
  }

  private async upsert(rows: readonly FacetRow[], amount: number): Promise<void> {
    const { manager } = this.source;
    // Written into the statement as they are: there are many, and digests are hexadecimal.
    const values = rows.map(
      ({ accountId, formId, facet, digest, length, begins }) =>
        `(${accountId},${formId},${facet},X'${digest}',${length},${begins},${amount})`,
    );
    await manager.query(
      `INSERT INTO facet_counts (${ROW_KEY.join(',')},submissions) VALUES ${values.join(',')}
        ${onConflictSql(manager.dataSource, ROW_KEY, `submissions = submissions + ${amount}`)}`,
    );
  }
}

interface CountRow {
  account_id: number;
  form_id: number;
  facet: number;
  digest: Buffer;
  length: number;
  begins: number;
  submissions: number;
}

/** Returns an hour of a key as the key of a map. */
export function textOfHour({ hour, ...key }: FacetKey & { hour: number }): string {
  return `${textOfKey(key)} ${hour}`;
}

function rowOf({ account_id, form_id, digest, ...rest }: CountRow): FacetRow {
  return { ...rest, accountId: account_id, formId: form_id, digest: digest.toString('hex') };
}

/** Adds up what goes to the same row, in the order of the key: transactions wait for rows in one order. */
function summedUp(rows: readonly FacetRow[]): FacetRow[] {
  const sums = new Map<string, FacetRow>();
  for (const row of rows) {
    const key = `${textOfKey(row)} ${row.length} ${row.begins}`;
    const known = sums.get(key);
    if (known) known.submissions += row.submissions;
    else sums.set(key, { ...row });
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/** Keys that one statement names: SQLite nests conditions no deeper than 1,000. */
const KEYS_AT_ONCE = 200;
/** Submissions in which senders are looked for, and how long these are at most. */
const SENT_MAX = 20;
const PAYLOAD_BYTES = 16 * 1024;
const COLUMNS = [...KEY_COLUMNS, 'name', 'text', 'seen', 'going'];

/** A known page, origin, country or value. */
export interface KnownValue extends FacetKey {
  name: string;
  text: string | null;
  seen: number;
  isGoing: boolean;
}

/** Reads and writes what counts know by name. */
@Injectable()
export class FacetValuesRepository extends TransactionalRepository {
  private readonly rows = this.rowsOf(FacetValue);

  /** Finds what is known of these keys. */
  async known(keys: readonly FacetKey[]): Promise<KnownValue[]> {
    const { manager } = this.source;
    const found: KnownValue[] = [];
    for (const some of inSlices(keys, KEYS_AT_ONCE)) {
      const rows = await manager.query<ValueRow[]>(
        `SELECT ${COLUMNS.join(',')} FROM facet_values WHERE ${some.map(() => KEY_CONDITION).join(' OR ')}`,
        some.flatMap(columnsOf),
      );
      found.push(...rows.map(knownOf));
    }
    return found;
  }

  /** Finds the values of the fields of a form, and its fields that are not counted. */
  async ofFields({ accountId, formId }: Omit<FacetSet, 'facet'>): Promise<KnownValue[]> {
    const rows = await this.source.manager.query<ValueRow[]>(
      `SELECT ${COLUMNS.join(',')} FROM facet_values
        WHERE account_id = ? AND form_id = ? AND facet IN (${FIELD}, ${STOPPED})`,
      [accountId, formId],
    );
    return rows.map(knownOf);
  }

  /** Tells whether a submission of a form that is there still has a value, as far as values are indexed. */
  async isThere({ formId, digest }: FacetKey): Promise<boolean> {
    const [found] = await this.source.manager.query<unknown[]>(
      `SELECT 1 FROM submission_values entry JOIN submissions s ON s.id = entry.submission_id
        WHERE entry.form_id = ? AND entry.digest = ? ORDER BY entry.submission_id DESC LIMIT 1`,
      [formId, Buffer.from(digest, 'hex')],
    );
    return found !== undefined;
  }

  /**
   * Tells whether so many senders had a value of a field, as far as their newest submissions say: by their email address,
   * and each for itself that has none.
   */
  async haveSent(senders: number, { formId, digest }: FacetKey): Promise<boolean> {
    const rows = await this.source.manager.query<{ payload: string }[]>(
      `SELECT s.payload AS payload FROM submission_values entry
        JOIN submissions s ON s.id = entry.submission_id
        WHERE entry.form_id = ? AND entry.digest = ? AND OCTET_LENGTH(s.payload) <= ${PAYLOAD_BYTES}
        ORDER BY entry.submission_id DESC LIMIT ${SENT_MAX}`,
      [formId, Buffer.from(digest, 'hex')],
    );
    const found = rows.map(({ payload }, at) => {
      const [address] = visitorAddressesOf(SubmittedValues.decode(payload));
      return address ?? at;
    });
    return new Set(found).size >= senders;
  }

  /** Counts those of a set that stay. */
  countIn({ accountId, formId, facet }: FacetSet): Promise<number> {
    return this.rows.countBy({ accountId, formId, facet, going: 0 });
  }

  /** Returns the digests of those with fewest submissions since an hour, `limit` at most. */
  async least(
    { accountId, formId, facet }: FacetSet,
    since: number,
    length: number,
    limit: number,
  ): Promise<string[]> {
    const rows = await this.source.manager.query<{ digest: Buffer }[]>(
      `SELECT digest, COALESCE((SELECT SUM(submissions) FROM facet_counts c WHERE c.account_id = v.account_id
          AND c.form_id = v.form_id AND c.facet = v.facet AND c.digest = v.digest AND c.length = ${length}
          AND c.begins >= ?), 0) AS n
        FROM facet_values v WHERE account_id = ? AND form_id = ? AND facet = ? AND going = 0
        AND text IS NOT NULL ORDER BY n, digest LIMIT ?`,
      [since, accountId, formId, facet, limit],
    );
    return rows.map(({ digest }) => digest.toString('hex'));
  }

  /** Takes on values that are not known; those that are stay as they are. */
  async add(values: readonly KnownValue[]): Promise<void> {
    const { manager } = this.source;
    const known = onConflictSql(manager.dataSource, KEY_COLUMNS);
    for (const some of inSlices(values, KEYS_AT_ONCE)) {
      const rows = some.map((each) => [
        ...columnsOf(each),
        each.name,
        each.text,
        each.seen,
        Number(each.isGoing),
      ]);
      await manager.query(
        `INSERT INTO facet_values (${COLUMNS.join(',')}) VALUES ${rows.map((row) => `(${placeholders(row)})`).join(',')} ${known}`,
        rows.flat(),
      );
    }
  }

  /** Writes how many had a value, and its text. */
  async name(value: KnownValue): Promise<void> {
    await this.source.manager.query(
      `UPDATE facet_values SET text = ?, seen = ? WHERE ${KEY_CONDITION}`,
      [value.text, value.seen, ...columnsOf(value)],
    );
  }

  /** Says that the counts of these are to be taken away. */
  async letGo(keys: readonly FacetKey[]): Promise<void> {
    for (const some of inSlices(keys, KEYS_AT_ONCE)) {
      await this.source.manager.query(
        `UPDATE facet_values SET going = 1 WHERE ${some.map(() => KEY_CONDITION).join(' OR ')}`,
        some.flatMap(columnsOf),
      );
    }
  }

  /** Finds some whose counts are to be taken away. */
  async someGoing(limit: number): Promise<KnownValue[]> {
    const rows = await this.source.manager.query<ValueRow[]>(
      `SELECT ${COLUMNS.join(',')} FROM facet_values WHERE going = 1 LIMIT ?`,
      [limit],
    );
    return rows.map(knownOf);
  }

  async remove(keys: readonly FacetKey[]): Promise<void> {
    await this.source.manager.query(
      `DELETE FROM facet_values WHERE ${keys.map(() => KEY_CONDITION).join(' OR ')}`,
      keys.flatMap(columnsOf),
    );
  }

  async removeForm(accountId: number, formId: number): Promise<void> {
    await this.rows.delete({ accountId, formId });
  }
}

interface ValueRow {
  account_id: number;
  form_id: number;
  facet: number;
  digest: Buffer;
  name: string;
  text: string | null;
  seen: number;
  going: number;
}

function knownOf({ account_id, form_id, digest, going, ...rest }: ValueRow): KnownValue {
  return {
    ...rest,
    accountId: account_id,
    formId: form_id,
    digest: digest.toString('hex'),
    isGoing: going === 1,
  };
}
