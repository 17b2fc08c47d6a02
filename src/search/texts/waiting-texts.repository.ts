import { Injectable } from '@nestjs/common';
import { TransactionalRepository } from '../../platform/database/transactional-repository.js';
import { placeholders } from '../../platform/database/statement.js';
import { SubmissionBatch } from '../../submissions/storage/submission-batch.entity.js';

/** Batches that are looked through for submissions without texts. */
const BATCHES_MAX = 1_000;
/** Submissions whose forms one statement finds. */
const IDS_AT_ONCE = 500;

/** Finds submissions that wait for their texts, which batches name. */
@Injectable()
export class WaitingTextsRepository extends TransactionalRepository {
  /**
   * Finds the submissions that a batch names whose texts may not be made yet, by their forms.
   * @returns null when there are more than `max`, or many batches
   */
  async all(max: number): Promise<Map<number, Buffer[]> | null> {
    const batches = await this.waitingBatches();
    const ids = batches?.flat() ?? [];
    return batches === null || ids.length > max ? null : this.byForm(ids);
  }

  /**
   * Finds the forms with submissions below an id whose texts may not be made yet. A batch with one is of an import, and so
   * of one form.
   * @returns null when there are many batches
   */
  async formsBelow(below: Buffer): Promise<Set<number> | null> {
    const batches = await this.waitingBatches();
    const older = batches?.flatMap((ids) => ids.find((id) => id.compare(below) < 0) ?? []);
    return older ? new Set((await this.byForm(older)).keys()) : null;
  }

  /** Returns the ids of each batch that waits; null for many batches. */
  private async waitingBatches(): Promise<Buffer[][] | null> {
    const batches = await this.source.manager.query<{ ids: Buffer }[]>(
      `SELECT submission_ids AS ids FROM submission_batches
        WHERE removed_from IS NULL AND COALESCE(OCTET_LENGTH(digests), 1) > 0 LIMIT ?`,
      [BATCHES_MAX + 1],
    );
    if (batches.length > BATCHES_MAX) return null;
    return batches.map(({ ids }) => SubmissionBatch.unpackIds(ids));
  }

  private async byForm(ids: readonly Buffer[]): Promise<Map<number, Buffer[]>> {
    const found = new Map<number, Buffer[]>();
    for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
      const some = ids.slice(from, from + IDS_AT_ONCE);
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
