import type { DataSource, ObjectLiteral, SelectQueryBuilder } from 'typeorm';

/** Tells whether a database is the embedded SQLite file; otherwise it is a server. */
export function isEmbedded({ options }: Pick<DataSource, 'options'>): boolean {
  return options.type === 'better-sqlite3';
}

/**
 * Returns SQL for the time of the database, in UTC and in milliseconds, as columns store it. Everything that
 * instances must agree on uses this one clock.
 * @param aheadSeconds how much later; negative for earlier, a whole number
 */
export function databaseTime(database: DataSource, aheadSeconds = 0): string {
  return isEmbedded(database)
    ? `strftime('%Y-%m-%d %H:%M:%f', 'now', '${aheadSeconds} seconds')`
    : `UTC_TIMESTAMP(3) + INTERVAL ${aheadSeconds} SECOND`;
}

/**
 * Returns the end of an INSERT whose rows may be there already.
 * @param key the columns of the index that tells
 * @param change what follows SET for such a row; without it, the row stays as it is
 */
export function onConflictSql(source: DataSource, key: readonly string[], change?: string): string {
  if (isEmbedded(source)) {
    return `ON CONFLICT (${key.join(',')}) DO ${change === undefined ? 'NOTHING' : `UPDATE SET ${change}`}`;
  }
  return `ON DUPLICATE KEY UPDATE ${change ?? `${key[0]} = ${key[0]}`}`;
}

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
