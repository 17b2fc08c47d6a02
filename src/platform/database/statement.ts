import type { EntityManager } from 'typeorm';

/** A statement; if `rows` is set, `sql` ends in VALUES and the rows are appended. */
export interface Statement {
  sql: string;
  rows?: readonly (readonly unknown[])[];
}

/**
 * Returns an INSERT of all rows, for the paths where speed matters: TypeORM's own insert costs more than the
 * database does.
 * @param rows each as long as `columns`; dates as text from `sqlDate`
 * @returns no statement when there are no rows
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
    const marks = rows.map((row) => `(${placeholders(row)})`);
    await tx.query(`${sql} ${marks.join(',')}`, rows.flat());
  }
}

/** Runs a statement in a transaction. @returns how many rows it changed or removed */
export async function changeRows(
  { queryRunner }: EntityManager,
  sql: string,
  values: unknown[],
): Promise<number> {
  const result = await queryRunner?.query(sql, values, true);
  return result?.affected ?? 0;
}

/** Returns a `?` for each value, such as `?,?,?`. */
export function placeholders(values: readonly unknown[]): string {
  return values.map(() => '?').join(',');
}

/** Returns a moment as both engines store it: UTC, in milliseconds, such as `2030-01-31 12:00:00.000`. */
export function sqlDate(date: Date): string {
  const text = date.toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, -1)}`;
}
