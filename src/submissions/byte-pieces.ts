import { In, type EntityManager } from 'typeorm';
import { Submission } from './submission.entity.js';

/** Texts of a submission that may be large. */
type TextColumn = 'payload' | 'search_text';

/**
 * Divides ids of submissions so that a column of each piece has at most `maxBytes` together, or is of
 * one submission. The sizes are asked for first: the embedded database knows them without reading
 * the texts. Ids that are gone are left out.
 */
export async function inPieces(
  manager: EntityManager,
  ids: readonly Buffer[],
  column: TextColumn,
  maxBytes: number,
): Promise<Buffer[][]> {
  if (ids.length === 0) return [];
  const rows = await manager
    .getRepository(Submission)
    .createQueryBuilder('submission')
    .select('submission.id', 'id')
    .addSelect(`OCTET_LENGTH(submission.${column})`, 'bytes')
    .where({ id: In([...ids]) })
    .getRawMany<{ id: Buffer; bytes: number | string }>();
  const sizes = new Map(rows.map(({ id, bytes }) => [id.toString('latin1'), Number(bytes)]));
  const pieces: Buffer[][] = [];
  let left = 0;
  for (const id of ids) {
    const bytes = sizes.get(id.toString('latin1'));
    if (bytes === undefined) continue;
    left -= bytes;
    const piece = pieces.at(-1);
    if (piece && left >= 0) piece.push(id);
    else {
      pieces.push([id]);
      left = maxBytes - bytes;
    }
  }
  return pieces;
}
