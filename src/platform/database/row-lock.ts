import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';

/** Adds FOR UPDATE on servers. No-op on SQLite, which runs one transaction at a time. */
export function forUpdate<Row extends ObjectLiteral>(
  query: SelectQueryBuilder<Row>,
): SelectQueryBuilder<Row> {
  const embedded = query.dataSource.options.type === 'better-sqlite3';
  return embedded ? query : query.setLock('pessimistic_write');
}
