import type { EntityManager } from 'typeorm';

/** SQL with a `?` for each value, or SQL that rows of values follow. */
export type Statement =
  { sql: string; values: unknown[] } | { sql: string; rows: readonly (readonly unknown[])[] };

/**
 * What inserts rows at once, for the paths where speed matters: TypeORM's own insert costs more than
 * the database does.
 * @param rows each as long as `columns`; dates as text from `sqlDate`
 * @returns nothing to do when there are no rows
 */
export function insertion(
  table: string,
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
): Statement[] {
  if (rows.length === 0) return [];
  return [{ sql: `INSERT INTO ${table} (${columns.join(',')}) VALUES`, rows }];
}

/** Runs statements one after the other. */
export async function runAll(tx: EntityManager, statements: readonly Statement[]): Promise<void> {
  for (const statement of statements) {
    if ('values' in statement) await tx.query(statement.sql, statement.values);
    else {
      const { sql, rows } = statement;
      const marks = rows.map((row) => `(${row.map(() => '?').join(',')})`);
      await tx.query(`${sql} ${marks.join(',')}`, rows.flat());
    }
  }
}

/** A moment as both engines store it: UTC, to the millisecond, such as `2030-01-31 12:00:00.000`. */
export function sqlDate(date: Date): string {
  return date.toISOString().replace('T', ' ').replace('Z', '');
}
