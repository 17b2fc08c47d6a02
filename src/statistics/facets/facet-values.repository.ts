import { Injectable } from '@nestjs/common';
import { onConflictSql } from '../../platform/database/engine.js';
import { TransactionalRepository } from '../../platform/database/transactional-repository.js';
import { placeholders } from '../../platform/database/statement.js';
import { FIELD, STOPPED } from '../../submissions/model/facet.js';
import { SubmittedValues } from '../../submissions/model/submitted-values.js';
import { visitorAddressesOf } from '../../submissions/model/visitor-address.js';
import {
  columnsOf,
  KEY_COLUMNS,
  KEY_CONDITION,
  type FacetKey,
  type FacetSet,
} from './facet-key.js';
import { FacetValue } from './facet-value.entity.js';
import { inSlices } from '../../platform/kernel/slices.js';

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
      const rows = await manager.query<Row[]>(
        `SELECT ${COLUMNS.join(',')} FROM facet_values WHERE ${some.map(() => KEY_CONDITION).join(' OR ')}`,
        some.flatMap(columnsOf),
      );
      found.push(...rows.map(knownOf));
    }
    return found;
  }

  /** Finds the values of the fields of a form, and its fields that are not counted. */
  async ofFields({ accountId, formId }: Omit<FacetSet, 'facet'>): Promise<KnownValue[]> {
    const rows = await this.source.manager.query<Row[]>(
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
    const rows = await this.source.manager.query<Row[]>(
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

interface Row {
  account_id: number;
  form_id: number;
  facet: number;
  digest: Buffer;
  name: string;
  text: string | null;
  seen: number;
  going: number;
}

function knownOf({ account_id, form_id, digest, going, ...rest }: Row): KnownValue {
  return {
    ...rest,
    accountId: account_id,
    formId: form_id,
    digest: digest.toString('hex'),
    isGoing: going === 1,
  };
}
