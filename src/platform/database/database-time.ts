import type { DataSource } from 'typeorm';
import { isEmbedded } from './engine.js';

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
