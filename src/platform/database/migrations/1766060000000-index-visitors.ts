import type { MigrationInterface, QueryRunner } from 'typeorm';
import { makeUuid } from '../../kernel/uuid.js';

/** Submissions of one batch, which the indexer reads at once. */
const BATCH_ROWS = 50;

/**
 * Makes the index of values anew, since it finds submissions by their visitor's address now. Until the
 * indexer is through, look-ups read what it has not reached.
 */
export class IndexVisitors1766060000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.clearTable('submission_values');
    await runner.query('DELETE FROM submission_batches');
    for (let after: Buffer = Buffer.alloc(16); ;) {
      const rows = (await runner.query(
        'SELECT id FROM submissions WHERE id > ? ORDER BY id LIMIT ?',
        [after, BATCH_ROWS],
      )) as { id: Buffer }[];
      const last = rows.at(-1);
      if (!last) return;
      const ids = Buffer.concat(rows.map(({ id }) => id));
      await runner.query(
        'INSERT INTO submission_batches (id, submission_ids, digests) VALUES (?, ?, NULL)',
        [makeUuid(), ids],
      );
      after = last.id;
    }
  }

  /** Entries for visitors do no harm to a version that does not ask for them. */
  async down(): Promise<void> {
    // Nothing to take back.
  }
}
