import type { EntityManager } from 'typeorm';

/** SQL with a `?` for each value. */
export interface Statement {
  sql: string;
  values: unknown[];
}

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
  const row = `(${columns.map(() => '?').join(',')})`;
  const values = rows.map(() => row).join(',');
  return [
    { sql: `INSERT INTO ${table} (${columns.join(',')}) VALUES ${values}`, values: rows.flat() },
  ];
}

/** Runs statements one after the other. */
export async function runAll(tx: EntityManager, statements: readonly Statement[]): Promise<void> {
  for (const { sql, values } of statements) await tx.query(sql, values);
}

/** A moment as both engines store it: UTC, to the millisecond, such as `2030-01-31 12:00:00.000`. */
export function sqlDate(date: Date): string {
  return date.toISOString().replace('T', ' ').replace('Z', '');
}
