import { Injectable } from '@nestjs/common';
import { onConflictSql } from '../../platform/database/engine.js';
import { TransactionalRepository } from '../../platform/database/transactional-repository.js';
import {
  columnsOf,
  KEY_COLUMNS,
  KEY_CONDITION,
  textOfKey,
  type FacetKey,
  type FacetSet,
} from './facet-key.js';
import { CountsTaken } from '../counts/submission-counts.repository.js';
import { FacetCount } from './facet-value.entity.js';
import { beginOf, LENGTHS } from './stretches.js';
import { inSlices } from '../../platform/kernel/slices.js';

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
      const rows = await manager.query<Row[]>(
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
    const rows = await manager.query<Row[]>(
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

interface Row {
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

function rowOf({ account_id, form_id, digest, ...rest }: Row): FacetRow {
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
