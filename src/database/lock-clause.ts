import type { EntityManager } from 'typeorm';

/** What locks the rows of a SELECT until the transaction ends; embedded, one transaction runs at a time anyway. */
export function lockClause(tx: EntityManager): string {
  return tx.dataSource.options.type === 'better-sqlite3' ? '' : ' FOR UPDATE';
}
