import { Injectable } from '@nestjs/common';
import { TransactionalRepository } from '../../platform/database/transactional-repository.js';
import { placeholders } from '../../platform/database/statement.js';
import { SubmissionBatch } from '../../submissions/storage/submission-batch.entity.js';
import { inSlices } from '../../platform/kernel/slices.js';

/** Batches that are looked through for submissions without texts. */
const BATCHES_MAX = 1_000;
/** Submissions whose forms one statement finds. */
const IDS_AT_ONCE = 500;

/** Finds submissions that wait for their texts, which batches name. */
@Injectable()
export class WaitingTextsRepository extends TransactionalRepository {
  /** Returns the submissions of each batch whose texts may not be made yet; null when there are many batches. */
  async batches(): Promise<Buffer[][] | null> {
    const batches = await this.source.manager.query<{ ids: Buffer }[]>(
      `SELECT submission_ids AS ids FROM submission_batches
        WHERE removed_from IS NULL AND COALESCE(OCTET_LENGTH(digests), 1) > 0 LIMIT ?`,
      [BATCHES_MAX + 1],
    );
    if (batches.length > BATCHES_MAX) return null;
    return batches.map(({ ids }) => SubmissionBatch.unpackIds(ids));
  }

  /** Returns those of these submissions that are there, by their forms. */
  async byForm(ids: readonly Buffer[]): Promise<Map<number, Buffer[]>> {
    const found = new Map<number, Buffer[]>();
    for (const some of inSlices(ids, IDS_AT_ONCE)) {
      const rows = await this.source.manager.query<{ id: Buffer; form_id: number }[]>(
        `SELECT id, form_id FROM submissions WHERE id IN (${placeholders(some)})`,
        some,
      );
      for (const { id, form_id } of rows) {
        const known = found.get(form_id);
        if (known) known.push(id);
        else found.set(form_id, [id]);
      }
    }
    return found;
  }
}
