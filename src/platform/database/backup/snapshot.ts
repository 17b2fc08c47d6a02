import type { DataSource, QueryRunner, Table } from 'typeorm';
import { sizeOf, type BackupTable, type ValueKind } from './backup-format.js';
import { isEmbedded } from '../select-rows.js';

/** Bytes read at a time, about, but for a single longer row. */
const PAGE_BYTES = 1024 * 1024;
/** Rows of the first page, before the size of rows is known. */
const PAGE_ROWS_FIRST = 50;
/** Most rows read at a time. */
const PAGE_ROWS_MAX = 1_000;

/** How each type of column is written. A type that is missing here fails the backup. */
const KINDS = new Map<string, ValueKind>([
  ['binary', 'bytes'],
  ['blob', 'bytes'],
  ['mediumblob', 'bytes'],
  ['datetime', 'moment'],
  ['boolean', 'plain'],
  ['tinyint', 'plain'],
  ['int', 'plain'],
  ['integer', 'plain'],
  ['bigint', 'whole'],
  ['varchar', 'plain'],
  ['text', 'plain'],
  ['mediumtext', 'plain'],
]);
/** Types with values so long that their sizes are read before their page. */
const LONG_TYPES = new Set(['blob', 'mediumblob', 'mediumtext', 'text']);
/** Tables of no use elsewhere: what migrations keep for themselves, and which processes run here. */
const LEFT_OUT = new Set(['migrations', 'migration_lock', 'running_instances']);

/** A table that is read in the order of its primary key. */
export interface ReadableTable extends BackupTable {
  key: string[];
  /** Columns of LONG_TYPES. */
  long: string[];
}

/**
 * Returns all tables of the service, sorted by name, as the database has them: a backup of an older version's tables is
 * complete.
 */
export async function tablesOf(database: DataSource): Promise<ReadableTable[]> {
  const runner = database.createQueryRunner();
  try {
    const names = (await runner.query(
      isEmbedded(database)
        ? `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'`
        : 'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()',
    )) as { name: string }[];
    const kept = names.map(({ name }) => name).filter((name) => !LEFT_OUT.has(name));
    const tables = await runner.getTables(kept);
    const found: ReadableTable[] = [];
    for (const table of tables) found.push(readable(table, await keyOf(runner, table)));
    return found.sort((a, b) => (a.name < b.name ? -1 : 1));
  } finally {
    await runner.release();
  }
}

/** Returns the columns of the primary key in its order, which TypeORM does not tell. */
async function keyOf(runner: QueryRunner, { name }: Table) {
  const rows = (await runner.query(
    isEmbedded(runner.dataSource)
      ? 'SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk'
      : "SELECT column_name AS name FROM information_schema.key_column_usage WHERE table_schema = DATABASE() AND constraint_name = 'PRIMARY' AND table_name = ? ORDER BY ordinal_position",
    [withoutDatabase(name)],
  )) as { name: string }[];
  return rows.map((row) => row.name);
}

function withoutDatabase(path: string) {
  return path.replace(/^.*\./, '');
}

function readable({ name: path, columns }: Table, key: string[]): ReadableTable {
  const name = withoutDatabase(path);
  return {
    name,
    columns: columns
      .map((column) => ({ name: column.name, kind: kindOf(name, column.type) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
    key,
    long: columns.filter(({ type }) => LONG_TYPES.has(type)).map((column) => column.name),
  };
}

function kindOf(table: string, type: string) {
  const kind = KINDS.get(type);
  if (!kind) throw new Error(`A backup knows no column of ${type}, as ${table} has.`);
  return kind;
}

/** Reads the database as it was at one moment, whatever is written meanwhile. */
export class Snapshot {
  private constructor(private readonly runner: QueryRunner) {}

  /** Begins a snapshot of the moment of its first read. Call `end` when done. */
  static async begin(source: DataSource): Promise<Snapshot> {
    const runner = source.createQueryRunner();
    // On SQLite every read transaction is a snapshot; on servers READ COMMITTED, the default here, is none.
    await runner.startTransaction(isEmbedded(source) ? undefined : 'REPEATABLE READ');
    return new Snapshot(runner);
  }

  async end() {
    try {
      await this.runner.rollbackTransaction();
    } finally {
      await this.runner.release();
    }
  }

  async migrations(): Promise<string[]> {
    const rows = (await this.runner.query('SELECT name FROM migrations ORDER BY id')) as { name: string }[];
    return rows.map(({ name }) => name);
  }

  /** Yields all rows of a table in pages, each row in the order of `columns` and in values of JSON. */
  async *rows(table: ReadableTable): AsyncGenerator<unknown[][]> {
    let after: unknown[] | null = null;
    let limit = PAGE_ROWS_FIRST;
    for (;;) {
      const found = await this.page(table, after, await this.fitting(table, after, limit));
      const last = found.at(-1);
      if (!last) return;
      const rows = found.map((row) => table.columns.map(({ name, kind }) => encode(row[name], kind)));
      yield rows;
      after = table.key.map((name) => last[name]);
      const bytes = rows.reduce((sum, row) => sum + sizeOf(row), 0);
      const fitting = Math.floor((PAGE_BYTES * rows.length) / Math.max(bytes, 1));
      limit = Math.min(Math.max(fitting, 1), PAGE_ROWS_MAX);
    }
  }

  /** Returns how many rows after a position fit a page; earlier sizes tell nothing about a next long row. */
  private async fitting(table: ReadableTable, after: unknown[] | null, most: number) {
    if (table.long.length === 0) return most;
    const sizes = table.long.map((column) => `COALESCE(LENGTH(${this.escape(column)}), 0)`);
    const rows = await this.page(table, after, most, `${sizes.join(' + ')} AS bytes`);
    let bytes = 0;
    const tooMany = rows.findIndex((row) => (bytes += Number(row.bytes)) > PAGE_BYTES);
    return tooMany < 0 ? most : Math.max(tooMany, 1);
  }

  /**
   * Reads rows after a position, by one query for each column of the key, from the last. Every engine
   * answers each from its index; a comparison of several columns makes some scan it.
   */
  private async page(
    { name, columns, key }: ReadableTable,
    after: unknown[] | null,
    limit: number,
    list = columns.map((column) => this.escape(column.name)).join(', '),
  ) {
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

  private escape(name: string) {
    return this.runner.dataSource.driver.escape(name);
  }
}

/** Returns a value as JSON has it. Servers' drivers give a moment as a Date, SQLite's as text. */
function encode(value: unknown, kind: ValueKind) {
  if (Buffer.isBuffer(value)) return value.toString('base64');
  if (value instanceof Date) return value.toISOString();
  // Servers send it as text.
  if (kind === 'whole') return value === null ? null : Number(value);
  return kind === 'moment' && typeof value === 'string' ? `${value.replace(' ', 'T')}Z` : value;
}
