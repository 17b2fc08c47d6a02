import { Injectable } from '@nestjs/common';
import { In, type EntityMetadata, type ObjectLiteral } from 'typeorm';
import { isEmbedded, selectRows, TransactionalRepository, placeholders } from '../../platform/database/index.js';
import { Form } from '../../forms/model/form.entity.js';
import { keyOf } from '../rows/submission-ids.js';

/** Table whose rows have the ids of their submissions. */
const TEXTS = 'submission_texts';

/** A table with rows of submissions, and the column that names those. */
export interface Dependant {
  metadata: EntityMetadata;
  column: string;
}

/** Its primary key, and the submission that it is of; null for a row of none. */
export type DependantRow = ObjectLiteral & { submission: Buffer | null };

/** Reads tables in the order of their primary keys, to find rows whose submission or form is gone. */
@Injectable()
export class LeftoversRepository extends TransactionalRepository {
  /** Returns all tables with rows of submissions. */
  dependants(): Dependant[] {
    return this.tables.flatMap((metadata) => {
      if (metadata.tableName === TEXTS) return [{ metadata, column: 'id' }];
      return has(metadata, 'submission_id') ? [{ metadata, column: 'submission_id' }] : [];
    });
  }

  /** Reads the next rows of a table, from the first one on without `after`. */
  rowsAfter({ metadata, column }: Dependant, after: DependantRow | undefined, limit: number): Promise<DependantRow[]> {
    const keys = keysOf(metadata);
    const beyond =
      after &&
      this.beyond(
        keys,
        keys.map((key) => after[key] as unknown),
      );
    return selectRows(
      this.source,
      `SELECT ${keys.join(', ')}, ${column} AS submission FROM ${metadata.tableName}
        ${beyond ? `WHERE ${beyond.sql}` : ''} ORDER BY ${keys.join(', ')} LIMIT ?`,
      [...(beyond?.values ?? []), limit],
    );
  }

  /** Returns which of these submissions do not exist. */
  async gone(ids: readonly Buffer[]): Promise<Buffer[]> {
    if (ids.length === 0) return [];
    const there = await selectRows<{ id: Buffer }>(
      this.source,
      `SELECT id FROM submissions WHERE id IN (${placeholders(ids)})`,
      ids,
    );
    const known = new Set(there.map(({ id }) => keyOf(id)));
    return ids.filter((id) => !known.has(keyOf(id)));
  }

  /** Removes rows of a table. */
  async remove({ metadata }: Dependant, rows: readonly DependantRow[]) {
    const keys = keysOf(metadata);
    const condition = `(${keys.map((key) => `${key} = ?`).join(' AND ')})`;
    await this.source.manager.query(
      `DELETE FROM ${metadata.tableName} WHERE ${rows.map(() => condition).join(' OR ')}`,
      rows.flatMap((row) => keys.map((key) => row[key] as unknown)),
    );
  }

  /** Finds purged forms, by id after `after`. */
  async purgedAfter(after: number, limit: number): Promise<{ id: number; accountId: number }[]> {
    return selectRows(
      this.source,
      `SELECT id, account_id AS accountId FROM forms WHERE purged_at IS NOT NULL AND id > ?
        ORDER BY id LIMIT ?`,
      [after, limit],
    );
  }

  /** Returns which of these forms a table still has rows of. */
  async formsLeft(forms: readonly { id: number; accountId: number }[]): Promise<number[]> {
    const ids = forms.map(({ id }) => id);
    const accounts = [...new Set(forms.map(({ accountId }) => accountId))];
    const left = new Set<number>();
    for (const { tableName, primaryColumns } of this.tables) {
      const [first, second] = primaryColumns.map(({ databaseName }) => databaseName);
      const byAccount = first === 'account_id' && second === 'form_id';
      if (first !== 'form_id' && !byAccount && tableName !== 'submissions') continue;
      const within = byAccount ? `account_id IN (${placeholders(accounts)}) AND` : '';
      const rows = await selectRows<{ form_id: number }>(
        this.source,
        `SELECT DISTINCT form_id FROM ${tableName} WHERE ${within} form_id IN (${placeholders(ids)})`,
        [...(byAccount ? accounts : []), ...ids],
      );
      for (const { form_id } of rows) left.add(form_id);
    }
    return [...left];
  }

  /** Has purged forms purged once more. */
  async purgeAgain(formIds: readonly number[]) {
    await this.source.manager.update(Form, { id: In([...formIds]) }, { purgedAt: null });
  }

  private get tables() {
    return this.source.manager.dataSource.entityMetadatas;
  }

  /** Returns the condition for what comes behind these values of these columns. */
  private beyond(keys: readonly string[], values: readonly unknown[]) {
    // A server uses no index for a comparison of rows; SQLite sorts all rows of an OR.
    if (isEmbedded(this.source.manager.dataSource)) {
      return { sql: `(${keys.join(', ')}) > (${placeholders(values)})`, values: [...values] };
    }
    const parts = keys.map((key, at) =>
      [...keys.slice(0, at).map((same) => `${same} = ?`), `${key} > ?`].join(' AND '),
    );
    return {
      sql: parts.map((part) => `(${part})`).join(' OR '),
      values: parts.flatMap((_, at) => values.slice(0, at + 1)),
    };
  }
}

function has({ columns }: EntityMetadata, name: string) {
  return columns.some((each) => each.databaseName === name);
}

function keysOf({ primaryColumns }: EntityMetadata) {
  return primaryColumns.map(({ databaseName }) => databaseName);
}
