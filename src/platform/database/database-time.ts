import type { DataSource } from 'typeorm';

/**
 * The time of the database as SQL, in UTC and to the millisecond, as columns keep it. What instances
 * have to agree on rests on this one clock and not on theirs.
 * @param aheadSeconds how much later; negative for earlier, a whole number
 */
export function databaseTime({ options }: DataSource, aheadSeconds = 0): string {
  return options.type === 'better-sqlite3'
    ? `strftime('%Y-%m-%d %H:%M:%f', 'now', '${aheadSeconds} seconds')`
    : `UTC_TIMESTAMP(3) + INTERVAL ${aheadSeconds} SECOND`;
}
