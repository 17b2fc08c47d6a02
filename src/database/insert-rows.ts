import type { EntityManager } from 'typeorm';

/**
 * Inserts rows with one statement, for the paths where speed matters: TypeORM's own insert costs
 * more than the database does.
 * @param rows each as long as `columns`; dates as text from `sqlDate`
 */
export async function insertRows(
  tx: EntityManager,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
): Promise<void> {
  if (rows.length === 0) return;
  const row = `(${columns.map(() => '?').join(',')})`;
  const values = rows.map(() => row).join(',');
  await tx.query(`INSERT INTO ${table} (${columns.join(',')}) VALUES ${values}`, rows.flat());
}

/** A moment as both engines store it: UTC, to the millisecond, such as `2030-01-31 12:00:00.000`. */
export function sqlDate(date: Date): string {
  return date.toISOString().replace('T', ' ').replace('Z', '');
}
