import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';
import { forUpdateSql } from '../../platform/database/engine.js';
import { selectEntities, selectRows } from '../../platform/database/select-rows.js';
import { placeholders } from '../../platform/database/statement.js';
import { inPieces, keyOf } from './byte-pieces.js';
import { Submission } from '../model/submission.entity.js';
import { textSizes } from './text-sizes.repository.js';
import { inSlices } from '../../platform/kernel/slices.js';

/** Submissions whose sizes one statement looks up. */
const PIECE_ROWS = 250;
/** Most bytes of values held in memory at a time; a single submission may have more. */
const PIECE_BYTES = 1024 * 1024;

/**
 * Reads submissions in the order of these ids, of whatever form, in pieces of at most PIECE_BYTES; ids that
 * are gone are left out. Others get a turn after each. The query is by id alone: with the form as a condition,
 * SQLite would read all of the form's rows.
 */
export async function* loadInOrder(
  manager: EntityManager,
  ids: readonly Buffer[],
): AsyncGenerator<Submission[]> {
  for (const some of inSlices(ids, PIECE_ROWS)) {
    const sizes = await textSizes(manager, some);
    for (const piece of inPieces(some, sizes, PIECE_BYTES)) {
      const found = await selectEntities({ manager }, Submission, { id: piece });
      const byId = new Map(found.map((submission) => [keyOf(submission.id), submission]));
      yield piece.flatMap((id) => byId.get(keyOf(id)) ?? []);
      // The embedded database answers synchronously: without a pause requests would have to wait.
      await nextTurn();
    }
  }
}

/** Reads those of these submissions that are there still, and locks them until the transaction ends. */
export async function lockedOf(
  manager: EntityManager,
  ids: readonly Buffer[],
): Promise<Submission[]> {
  const lock = forUpdateSql(manager.dataSource);
  const sql = `SELECT id FROM \`submissions\` WHERE id IN (${placeholders(ids)}) ORDER BY id${lock}`;
  await selectRows({ manager }, sql, [...ids]);
  const all: Submission[] = [];
  for await (const some of loadInOrder(manager, ids)) all.push(...some);
  return all;
}
