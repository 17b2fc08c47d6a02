import type { ColumnType, DataSource, EntityMetadata, QueryRunner } from 'typeorm';
import { sizeOf, type BackupTable, type ValueKind } from './backup-format.js';

/** About how much is read at a time, but for a row that is longer by itself, and rows of that at most. */
const PAGE_BYTES = 1024 * 1024;
const PAGE_ROWS_FIRST = 50;
const PAGE_ROWS_MAX = 1_000;

/** Every type of column there is: one that is missing here might not survive. */
const KINDS = new Map<ColumnType, ValueKind>([
  ['binary', 'bytes'],
  ['mediumblob', 'bytes'],
  ['datetime', 'moment'],
  ['boolean', 'plain'],
  ['int', 'plain'],
  [Number, 'plain'],
  ['varchar', 'plain'],
  ['text', 'plain'],
  ['mediumtext', 'plain'],
]);
/** Types whose values may be so long that a page of them is not read unseen. */
const LONG_TYPES = new Set<ColumnType>(['mediumblob', 'mediumtext', 'text']);

/** A table that can be read in the order of its primary key. */
export interface ReadableTable extends BackupTable {
  key: string[];
  /** Columns whose values may be long. */
  long: string[];
}

/** All tables of the service, by name. */
export function tablesOf({ entityMetadatas }: DataSource): ReadableTable[] {
  return entityMetadatas
    .map((entity) => ({
      name: entity.tableName,
      columns: entity.columns.map(({ databaseName: name, type }) => ({
        name,
        kind: kindOf(entity, type),
      })),
      key: entity.primaryColumns.map(({ databaseName }) => databaseName),
      long: entity.columns
        .filter(({ type }) => LONG_TYPES.has(type))
        .map(({ databaseName }) => databaseName),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function kindOf({ tableName }: EntityMetadata, type: ColumnType): ValueKind {
  const kind = KINDS.get(type);
  if (!kind) throw new Error(`A backup knows no column of ${String(type)}, as ${tableName} has.`);
  return kind;
}

/** The database at one moment, whatever is written meanwhile. */
export class Snapshot {
  private constructor(private readonly runner: QueryRunner) {}

  /** The moment is that of the first read. `end` lets it go. */
  static async begin(source: DataSource): Promise<Snapshot> {
    const runner = source.createQueryRunner();
    // SQLite has snapshots and no name for them; to servers this is what READ COMMITTED is not.
    const embedded = source.options.type === 'better-sqlite3';
    await runner.startTransaction(embedded ? undefined : 'REPEATABLE READ');
    return new Snapshot(runner);
  }

  async end(): Promise<void> {
    try {
      await this.runner.rollbackTransaction();
    } finally {
      await this.runner.release();
    }
  }

  async migrations(): Promise<string[]> {
    const rows = (await this.runner.query('SELECT name FROM migrations ORDER BY id')) as {
      name: string;
    }[];
    return rows.map(({ name }) => name);
  }

  /** All rows of a table, page by page, each row as its columns are listed and as JSON can say it. */
  async *rows(table: ReadableTable): AsyncGenerator<unknown[][]> {
    let after: unknown[] | null = null;
    let limit = PAGE_ROWS_FIRST;
    for (;;) {
      const found = await this.page(table, after, await this.fitting(table, after, limit));
      const last = found.at(-1);
      if (!last) return;
      const rows = found.map((row) =>
        table.columns.map(({ name, kind }) => encode(row[name], kind)),
      );
      yield rows;
      after = table.key.map((name) => last[name]);
      const bytes = rows.reduce((sum, row) => sum + sizeOf(row), 0);
      const fitting = Math.floor((PAGE_BYTES * rows.length) / Math.max(bytes, 1));
      limit = Math.min(Math.max(fitting, 1), PAGE_ROWS_MAX);
    }
  }

  /** How many rows behind a position make a page; the sizes of those before say nothing of the next. */
  private async fitting(
    table: ReadableTable,
    after: unknown[] | null,
    most: number,
  ): Promise<number> {
    if (table.long.length === 0) return most;
    const sizes = table.long.map((column) => `COALESCE(LENGTH(${this.escape(column)}), 0)`);
    const rows = await this.page(table, after, most, `${sizes.join(' + ')} AS bytes`);
    let bytes = 0;
    const tooMany = rows.findIndex((row) => (bytes += Number(row.bytes)) > PAGE_BYTES);
    return tooMany < 0 ? most : Math.max(tooMany, 1);
  }

  /**
   * Rows behind a position. One query for each column of the key, from the last: every engine finds
   * each of them at once in its index, where a comparison of several columns has some walk through it.
   */
  private async page(
    { name, columns, key }: ReadableTable,
    after: unknown[] | null,
    limit: number,
    list = columns.map((column) => this.escape(column.name)).join(', '),
  ): Promise<Record<string, unknown>[]> {
    const columnsOfKey = key.map((column) => this.escape(column));
    const order = columnsOfKey.join(', ');
    const select = async (condition: string, parameters: unknown[], most: number) =>
      (await this.runner.query(
        `SELECT ${list} FROM ${this.escape(name)}${condition} ORDER BY ${order} LIMIT ${most}`,
        parameters,
      )) as Record<string, unknown>[];
    if (!after) return select('', [], limit);
    const rows: Record<string, unknown>[] = [];
    for (let at = key.length - 1; at >= 0 && rows.length < limit; at--) {
      const same = columnsOfKey.slice(0, at).map((column) => `${column} = ? AND `);
      const condition = ` WHERE ${same.join('')}${columnsOfKey[at] ?? ''} > ?`;
      rows.push(...(await select(condition, after.slice(0, at + 1), limit - rows.length)));
    }
    return rows;
  }

  private escape(name: string): string {
    return this.runner.dataSource.driver.escape(name);
  }
}

/** Drivers give a moment as they like: as a date, or as the text that SQLite keeps. */
function encode(value: unknown, kind: ValueKind): unknown {
  if (Buffer.isBuffer(value)) return value.toString('base64');
  if (value instanceof Date) return value.toISOString();
  return kind === 'moment' && typeof value === 'string' ? `${value.replace(' ', 'T')}Z` : value;
}
