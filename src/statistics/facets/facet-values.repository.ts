import { Injectable } from '@nestjs/common';
import { GRANTS_FIRST, visibleByGrant } from '../../forms/access/visible-forms.js';
import { addToCounters, type CounterTable } from '../../platform/database/counters.js';
import { onConflictSql, selectRows } from '../../platform/database/select-rows.js';
import { TransactionalRepository, placeholders } from '../../platform/database/sql.js';
import { inSlices } from '../../platform/kernel/slices.js';
import { FIELD, STOPPED } from '../../submissions/model/facet.js';
import { SubmittedValues } from '../../submissions/model/submitted-values.js';
import { visitorAddressesOf } from '../../submissions/model/visitor-address.js';
import type { Counters } from '../counts/sums.js';
import { FacetCount, FacetValue } from './facet-value.entity.js';
import { beginOf, LENGTHS, type Stretch } from './stretches.js';

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
export function textOfKey({ accountId, formId, facet, digest }: FacetKey): string {
  return `${accountId} ${formId} ${facet} ${digest}`;
}

/** Columns of a key in the order of the tables. */
const KEY_COLUMNS = ['account_id', 'form_id', 'facet', 'digest'];
const KEY_CONDITION = `(${KEY_COLUMNS.map((column) => `${column} = ?`).join(' AND ')})`;

/** Returns the values of its columns. */
function columnsOf({ accountId, formId, facet, digest }: FacetKey): [...number[], Buffer] {
  return [accountId, formId, facet, Buffer.from(digest, 'hex')];
}

const COUNTS: CounterTable = {
  name: 'facet_counts',
  key: [...KEY_COLUMNS, 'length', 'begins'],
  counters: ['submissions'],
};

/** Amount to add to the counts of an hour. */
export interface HourAmount extends FacetKey {
  hour: number;
  amount: number;
}

/** How many submissions a page, an origin, a country or a value had. */
export interface FacetSum {
  /** Hexadecimal; OTHER for what has no name. */
  digest: string;
  /** Name of the field; else empty. */
  name: string;
  text: string | null;
  submissions: number;
}

interface SumRow {
  digest: Buffer;
  name: string;
  text: string | null;
  n: number | string;
}

/** Joins what counts know by name to a query for the forms that a client sees. */
const VALUES_OF_FORM =
  'CROSS JOIN facet_values v ON v.account_id = form.account_id AND v.form_id = form.id';
/** Forms whose counts one statement sums up. */
const FORMS_AT_ONCE = 50;

/** Reads and writes the counts of pages, origins, countries and values. */
@Injectable()
export class FacetCountsRepository extends TransactionalRepository {
  private readonly rows = this.rowsOf(FacetCount);

  /** Adds to hours, and to what is made of hours. */
  async addToHours(amounts: readonly HourAmount[]): Promise<void> {
    const changes = amounts.flatMap((each) => {
      const columns = columnsOf(each);
      return LENGTHS.map((length) => ({
        key: [...columns, length, beginOf(each.hour, length)],
        amounts: [each.amount],
      }));
    });
    await addToCounters(this.source.manager, COUNTS, changes);
  }

  /** Removes some rows of a form. @returns them */
  async takeSome(accountId: number, formId: number, limit: number): Promise<FacetCount[]> {
    const where = { accountId, formId };
    const found = await this.rows.find({ where, take: limit });
    // TypeORM takes the keys away from the entities that it removes.
    const taken = found.map((row) => this.rows.create(row));
    await this.rows.remove(found);
    return taken;
  }

  /** Sums up stretches of time for each form; of all forms of a client at once. */
  async sums(
    { accountId, formIds, clientId }: Counters,
    facet: number,
    stretches: readonly Stretch[],
  ): Promise<FacetSum[]> {
    if (stretches.length === 0) return [];
    // Asked for by its digest, a stretch is rows that lie side by side.
    const parts = stretches.map(
      ({ length, from, to }) =>
        `COALESCE((SELECT SUM(c.submissions) FROM facet_counts c WHERE c.account_id = v.account_id
          AND c.form_id = v.form_id AND c.facet = v.facet AND c.digest = v.digest
          AND c.length = ${length} AND c.begins >= ${from} AND c.begins < ${to}), 0)`,
    );
    const n = parts.join(' + ');
    if (clientId !== undefined) {
      const { sql, values } = visibleByGrant(accountId, clientId, VALUES_OF_FORM);
      return this.sumsIn(
        `SELECT ${GRANTS_FIRST} v.digest AS digest, v.name AS name, MAX(v.text) AS text, SUM(${n}) AS n
          ${sql} AND v.facet = ? GROUP BY v.digest, v.name`,
        [...values, facet],
      );
    }
    const found: FacetSum[] = [];
    for (const some of inSlices(formIds, FORMS_AT_ONCE)) {
      const sums = await this.sumsIn(
        `SELECT v.digest AS digest, v.name AS name, v.text AS text, ${n} AS n FROM facet_values v
          WHERE v.account_id = ? AND v.form_id IN (${placeholders(some)}) AND v.facet = ?`,
        [accountId, ...some, facet],
      );
      found.push(...sums);
    }
    return found;
  }

  /** Returns what rows say, without those that have nothing. */
  private async sumsIn(sql: string, values: readonly unknown[]): Promise<FacetSum[]> {
    const rows = await selectRows<SumRow>(this.source, sql, values);
    const sums = rows.map(({ digest, name, text, n }) => ({
      ...{ digest: digest.toString('hex'), name, text },
      // Servers send a sum as text.
      submissions: Number(n),
    }));
    return sums.filter(({ submissions }) => submissions !== 0);
  }
}

/** Keys that one statement names: SQLite nests conditions no deeper than 1,000. */
const KEYS_AT_ONCE = 200;
/** Submissions in which senders are looked for, and how long these are at most. */
const SENT_MAX = 20;
const PAYLOAD_BYTES = 16 * 1024;
const COLUMNS = [...KEY_COLUMNS, 'name', 'text', 'seen'];

/** A known page, origin, country or value. */
export interface KnownValue extends FacetKey {
  name: string;
  text: string | null;
  seen: number;
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

  countIn({ accountId, formId, facet }: FacetSet): Promise<number> {
    return this.rows.countBy({ accountId, formId, facet });
  }

  /** Takes on values that are not known; those that are stay as they are. */
  async add(values: readonly KnownValue[]): Promise<void> {
    const { manager } = this.source;
    const known = onConflictSql(manager.dataSource, KEY_COLUMNS);
    for (const some of inSlices(values, KEYS_AT_ONCE)) {
      const rows = some.map((each) => [...columnsOf(each), each.name, each.text, each.seen, 0]);
      await manager.query(
        `INSERT INTO facet_values (${COLUMNS.join(',')},going) VALUES ${rows.map((row) => `(${placeholders(row)})`).join(',')} ${known}`,
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

  /** Forgets the values of a field. */
  async removeField({ accountId, formId }: FacetSet, name: string): Promise<void> {
    await this.rows.delete({ accountId, formId, facet: FIELD, name });
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
}

function knownOf({ account_id, form_id, digest, ...rest }: ValueRow): KnownValue {
  return { ...rest, accountId: account_id, formId: form_id, digest: digest.toString('hex') };
}
