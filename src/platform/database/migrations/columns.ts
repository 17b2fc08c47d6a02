import { Table, TableColumn, TableIndex } from 'typeorm';
import type { ColumnType, MigrationInterface, QueryRunner, TableColumnOptions } from 'typeorm';

/**
 * Tables by their names, each as a list of columns and indexes: `id serial`, `email varchar(255) null`,
 * `tries int default 0`, `form_id int key`, `ix_forms_account (account_id, id)`.
 *
 * A column has a value unless it says `null`; those with `key` make the primary key together. `serial` is an
 * auto-increment key, for rows that people make: rows that visitors cause have time-ordered UUIDs, whose numbers do not
 * run out. A `datetime` is in UTC, in milliseconds. The name of a unique index starts with `uq_`.
 *
 * Released migrations share this file, so it is frozen as they are.
 */
type Tables = Record<string, string>;

const COLUMN = /^(\w+) (\w+)(?:\((\d+)\))?( key)?( null)?(?: default (\S+))?$/;
const INDEX = /^((?:ix|uq)_\w+) \(([\w, ]+)\)$/;

/**
 * Brings the tables from one release to the next. Servers commit each change of a table by itself: after an interruption it
 * starts again, and passes over what is done.
 */
export abstract class Migration implements MigrationInterface {
  /**
   * The name under which databases remember it. Its end is a time in milliseconds, the order of all migrations. One that
   * replaces several has the name of the last: databases that ran them have it, too.
   */
  abstract readonly name: string;

  abstract up(runner: QueryRunner): Promise<void>;

  /** Refuses: only a backup leads back. */
  down(): Promise<never> {
    const remedy = 'Restore the backup from before the upgrade.';
    return Promise.reject(new Error(`No migration can be undone. ${remedy}`));
  }
}

/** Creates the tables that are missing. */
export async function createTables(runner: QueryRunner, tables: Tables): Promise<void> {
  for (const [name, text] of Object.entries(tables)) {
    await runner.createTable(new Table({ name, ...read(runner, text) }), true);
  }
}

/** Adds the columns and indexes that are missing to tables. */
export async function extendTables(runner: QueryRunner, tables: Tables): Promise<void> {
  const { driver } = runner.dataSource;
  for (const [name, text] of Object.entries(tables)) {
    const { columns, indices } = read(runner, text);
    const table = await runner.getTable(name);
    for (const column of columns.map((options) => new TableColumn(options))) {
      if (table?.findColumnByName(column.name)) continue;
      const rest = column.isNullable ? 'NULL' : `NOT NULL DEFAULT ${String(column.default)}`;
      // Written out, since TypeORM would copy the whole table on SQLite.
      await runner.query(
        `ALTER TABLE \`${name}\` ADD COLUMN \`${column.name}\` ${driver.createFullType(column)} ${rest}`,
      );
    }
    for (const index of indices) {
      if (table?.indices.some((made) => made.name === index.name)) continue;
      await runner.createIndex(name, new TableIndex(index));
    }
  }
}

function read(runner: QueryRunner, text: string) {
  const columns: TableColumnOptions[] = [];
  const indices: { name: string; columnNames: string[]; isUnique: boolean }[] = [];
  const items = text
    .replace(/\s+/g, ' ')
    .trim()
    .split(/, (?![^(]*\))/);
  const withoutRowid = items.at(-1) === 'without rowid';
  for (const item of withoutRowid ? items.slice(0, -1) : items) {
    const [, index, names = ''] = INDEX.exec(item) ?? [];
    if (index === undefined) columns.push(columnOf(runner, item));
    else
      indices.push({
        name: index,
        columnNames: names.split(', '),
        isUnique: index.startsWith('uq_'),
      });
  }
  return { columns, indices, withoutRowid };
}

function columnOf({ dataSource }: QueryRunner, text: string): TableColumnOptions {
  const [, name, type = '', length, isKey, isNull, value] = COLUMN.exec(text) ?? [];
  if (name === undefined) throw new Error(`This is no column: ${text}`);
  const isSerial = type === 'serial';
  return {
    name,
    type: dataSource.driver.normalizeType({ type: isSerial ? 'int' : (type as ColumnType) }),
    isNullable: isNull !== undefined,
    isPrimary: isSerial || isKey !== undefined,
    ...(isSerial && { isGenerated: true, generationStrategy: 'increment' }),
    ...(length !== undefined && { length }),
    ...(type === 'datetime' && { precision: 3 }),
    ...(value !== undefined && { default: value }),
  };
}
