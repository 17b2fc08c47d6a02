import { In, type EntityManager } from 'typeorm';
import { keyOf } from './byte-pieces.js';
import { Submission } from './submission.entity.js';

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
  const rows = await manager
    .getRepository(Submission)
    .createQueryBuilder('submission')
    .select('submission.id', 'id')
    .addSelect('OCTET_LENGTH(submission.payload)', 'bytes')
    .where({ id: In([...ids]) })
    .getRawMany<{ id: Buffer; bytes: number | string }>();
  return new Map(rows.map(({ id, bytes }) => [keyOf(id), Number(bytes)]));
}
