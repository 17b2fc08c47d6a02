import type { DataSource, ObjectLiteral, SelectQueryBuilder, EntityTarget, Repository } from 'typeorm';
import mysql from 'mysql2';
import { type ReadManager, placeholders } from './sql.js';
import { QUERY_TIMEOUT_MS, ROW_PARSERS } from './pool.js';

/** Tells whether a database is the embedded SQLite file; otherwise it is a server. */
export function isEmbedded({ options }: Pick<DataSource, 'options'>) {
  return options.type === 'better-sqlite3';
}

/**
 * Returns SQL for the time of the database, in UTC and in milliseconds, as columns store it. Everything that
 * instances must agree on uses this one clock.
 * @param aheadSeconds how much later; negative for earlier, a whole number
 */
export function databaseTime(database: DataSource, aheadSeconds = 0) {
  return isEmbedded(database)
    ? `strftime('%Y-%m-%d %H:%M:%f', 'now', '${aheadSeconds} seconds')`
    : `UTC_TIMESTAMP(3) + INTERVAL ${aheadSeconds} SECOND`;
}

/**
 * Returns the end of an INSERT whose rows may be there already.
 * @param key the columns of the index that tells
 * @param change what follows SET for such a row; without it, the row stays as it is
 */
export function onConflictSql(source: DataSource, key: readonly string[], change?: string) {
  if (isEmbedded(source)) {
    return `ON CONFLICT (${key.join(',')}) DO ${change === undefined ? 'NOTHING' : `UPDATE SET ${change}`}`;
  }
  return `ON DUPLICATE KEY UPDATE ${change ?? `${key[0]} = ${key[0]}`}`;
}

/** Adds FOR UPDATE on servers. No-op on SQLite, which runs one transaction at a time. */
export function forUpdate<Row extends ObjectLiteral>(query: SelectQueryBuilder<Row>): SelectQueryBuilder<Row> {
  return isEmbedded(query.dataSource) ? query : query.setLock('pessimistic_write');
}

/** Returns the same for the end of a SELECT. */
export function forUpdateSql(database: DataSource): string {
  return isEmbedded(database) ? '' : ' FOR UPDATE';
}

mysql.setMaxParserCache(ROW_PARSERS);

type Key = string | number | Buffer;

/** Values of some columns of an entity; a list means any of its values. */
export type Known<Entity> = { [Property in keyof Entity]?: Key | readonly Key[] };

/**
 * Runs a SELECT where speed matters: TypeORM's query builder, and its way to the driver of a server, take
 * several times as long as reading a few rows.
 * @param values for the `?` of the statement
 * @returns rows as the driver reads them: booleans are 0 and 1, times depend on the engine
 * @throws the driver's error, or within a transaction TypeORM's
 */
export function selectRows<Row>(
  { manager }: ReadManager,
  sql: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const { pool } = manager.dataSource.driver as { pool?: mysql.Pool };
  // The rows of a transaction are read on its connection.
  if (pool === undefined || manager.queryRunner) return manager.query<Row[]>(sql, [...values]);
  return new Promise((resolve, reject) => {
    pool.getConnection((refused, connection) => {
      if (refused) {
        reject(refused);
        return;
      }
      connection.query({ sql, values: [...values], timeout: QUERY_TIMEOUT_MS }, (error, rows) => {
        connection.release();
        if (error) reject(error);
        else resolve(rows as Row[]);
      });
    });
  });
}

/**
 * Reads entities by what some of their columns have, in no order, where TypeORM's way would take longer than the database.
 * @returns none where a list is empty
 * @throws TypeError for what is no column, or not known after all
 */
export async function selectEntities<Entity extends ObjectLiteral>(
  source: ReadManager,
  target: EntityTarget<Entity>,
  known: Known<Entity>,
): Promise<Entity[]> {
  const repository = source.manager.getRepository(target);
  const { metadata } = repository;
  const conditions: string[] = [];
  const values: Key[] = [];
  for (const [name, wanted] of Object.entries<Key | readonly Key[] | undefined>(known)) {
    const column = metadata.findColumnWithPropertyName(name);
    // Without it more would be found than was meant.
    if (!column || wanted === undefined) throw new TypeError(`${name} says nothing`);
    const keys: Key[] = [wanted].flat();
    if (keys.length === 0) return [];
    conditions.push(`${column.databaseName} IN (${placeholders(keys)})`);
    values.push(...keys);
  }
  const selected = metadata.columns.filter(({ isSelect }) => isSelect);
  const names = selected.map(({ databaseName }) => `\`${databaseName}\``);
  const rows = await selectRows<Record<string, unknown>>(
    source,
    `SELECT ${names.join(', ')} FROM \`${metadata.tableName}\` WHERE ${conditions.join(' AND ')}`,
    values,
  );
  return rows.map((row) => entityOf(repository, row));
}

/** Makes an entity of a row that has all of its columns, but for those that are read only when asked for. */
export function entityOf<Entity extends ObjectLiteral>(
  { metadata, manager }: Repository<Entity>,
  row: Record<string, unknown>,
): Entity {
  const entity = metadata.create() as Entity;
  const { driver } = manager.dataSource;
  for (const column of metadata.columns) {
    if (!column.isSelect) continue;
    const value: unknown = driver.prepareHydratedValue(row[column.databaseName], column);
    column.setEntityValue(entity, value);
  }
  return entity;
}
