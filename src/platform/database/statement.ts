import type { EntityManager } from 'typeorm';

/** SQL that is whole, or that rows of values follow. */
export interface Statement {
  sql: string;
  rows?: readonly (readonly unknown[])[];
}

/**
 * What inserts rows at once, for the paths where speed matters: TypeORM's own insert costs more than
 * the database does.
 * @param rows each as long as `columns`; dates as text from `sqlDate`
 * @returns nothing to do when there are no rows
 */
export function insertStatement(
  table: string,
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
): Statement[] {
  if (rows.length === 0) return [];
  return [{ sql: `INSERT INTO ${table} (${columns.join(',')}) VALUES`, rows }];
}

/** Runs statements one after the other. */
export async function runStatements(
  tx: EntityManager,
  statements: readonly Statement[],
): Promise<void> {
  for (const { sql, rows = [] } of statements) {
    const marks = rows.map((row) => `(${row.map(() => '?').join(',')})`);
    await tx.query(`${sql} ${marks.join(',')}`, rows.flat());
  }
}

/** A moment as both engines store it: UTC, to the millisecond, such as `2030-01-31 12:00:00.000`. */
export function sqlDate(date: Date): string {
  const text = date.toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, -1)}`;
}
