import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';

/**
 * Makes a query hold the rows it reads until its transaction ends: what is written afterwards rests
 * on what was read. The embedded database runs one transaction at a time and knows no such clause.
 */
export function forUpdate<Row extends ObjectLiteral>(
  query: SelectQueryBuilder<Row>,
): SelectQueryBuilder<Row> {
  const embedded = query.dataSource.options.type === 'better-sqlite3';
  return embedded ? query : query.setLock('pessimistic_write');
}
