import type { DataSource } from 'typeorm';
import { isEmbedded } from './engine.js';

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
