import type { EntityManager } from 'typeorm';
import { selectRows } from '../../platform/database/select-rows.js';
import { placeholders } from '../../platform/database/statement.js';
import { keyOf } from './byte-pieces.js';

/**
 * Reads how many bytes the values of these submissions have; the embedded database knows it without
 * reading them.
 * @returns bytes by id, as `keyOf` writes it; without the ids that are gone
 */
export async function textSizes(
  manager: EntityManager,
  ids: readonly Buffer[],
): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await selectRows<{ id: Buffer; bytes: number | string }>(
    { manager },
    `SELECT id, OCTET_LENGTH(payload) AS bytes FROM submissions WHERE id IN (${placeholders(ids)})`,
    [...ids],
  );
  return new Map(rows.map(({ id, bytes }) => [keyOf(id), Number(bytes)]));
}
