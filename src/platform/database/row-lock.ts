import type { DataSource, ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { isEmbedded } from './engine.js';

/** Adds FOR UPDATE on servers. No-op on SQLite, which runs one transaction at a time. */
export function forUpdate<Row extends ObjectLiteral>(
  query: SelectQueryBuilder<Row>,
): SelectQueryBuilder<Row> {
  return isEmbedded(query.dataSource) ? query : query.setLock('pessimistic_write');
}

/** Returns the same for the end of a SELECT. */
export function forUpdateSql(database: DataSource): string {
  return isEmbedded(database) ? '' : ' FOR UPDATE';
}
