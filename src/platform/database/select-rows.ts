import type mysql from 'mysql2';
import type { ObjectLiteral, Repository } from 'typeorm';
import type { ReadManager } from './read-manager.js';
import { QUERY_TIMEOUT_MS } from './pool.js';

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
  values: (string | number)[],
): Promise<Row[]> {
  const { pool } = manager.dataSource.driver as { pool?: mysql.Pool };
  // The rows of a transaction are read on its connection.
  if (pool === undefined || manager.queryRunner) return manager.query<Row[]>(sql, values);
  return new Promise((resolve, reject) => {
    pool.getConnection((refused, connection) => {
      if (refused) {
        reject(refused);
        return;
      }
      connection.query({ sql, values, timeout: QUERY_TIMEOUT_MS }, (error, rows) => {
        connection.release();
        if (error) reject(error);
        else resolve(rows as Row[]);
      });
    });
  });
}

/** Makes an entity of a row that has all of its columns. */
export function entityOf<Entity extends ObjectLiteral>(
  { metadata, manager }: Repository<Entity>,
  row: Record<string, unknown>,
): Entity {
  const entity = metadata.create() as Entity;
  const { driver } = manager.dataSource;
  for (const column of metadata.columns) {
    const value: unknown = driver.prepareHydratedValue(row[column.databaseName], column);
    column.setEntityValue(entity, value);
  }
  return entity;
}
