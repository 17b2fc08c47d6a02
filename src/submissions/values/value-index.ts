import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ReadManager } from '../../platform/database/read-manager.js';
import { insertStatement, runStatements } from '../../platform/database/statement.js';
import { makeUuid } from '../../platform/kernel/uuid.js';
import { SubmissionBatch, type DigestedEntry } from '../storage/submission-batch.entity.js';
import { Submission } from '../submission.entity.js';
import { SubmissionsRepository } from '../submissions.repository.js';
import { digestOf } from './value-digests.js';

/** Batches and entries that are read at once. */
const BATCHES_AT_ONCE = 100;
const ENTRIES_AT_ONCE = 500;
/** Below the first id there is. */
const NO_ID = Buffer.alloc(16);

/**
 * Answers which submissions have a value in a field, exactly and without reading them all. Entries
 * are made and removed after the transactions that store and remove submissions; until then a batch
 * has the digests. An entry is only a candidate, so one that points to nothing does no harm.
 */
@Injectable()
export class ValueIndex {
  constructor(
    private readonly reads: ReadManager,
    private readonly submissions: SubmissionsRepository,
  ) {}

  /**
   * Finds the submissions of a form, in any folder, whose field `name` has exactly the value `text`; one
   * may come twice. It reads as it is asked for more, in small pieces.
   */
  async *find(formId: number, name: string, text: string): AsyncGenerator<Submission> {
    for await (const ids of this.candidates(formId, digestOf(name, text))) {
      for await (const some of this.submissions.load(formId, ids)) {
        for (const submission of some) if (submission.values.has(name, text)) yield submission;
      }
    }
  }

  /** Has the entries of submissions removed after the transaction which removes the submissions. */
  async forget(
    tx: EntityManager,
    formId: number,
    removed: readonly DigestedEntry[],
  ): Promise<void> {
    const ids = Buffer.concat(removed.map(({ id }) => id));
    const digests = SubmissionBatch.pack(removed.map((entry) => entry.digests));
    const columns = ['id', 'submission_ids', 'digests', 'removed_from'];
    await runStatements(
      tx,
      insertStatement('submission_batches', columns, [[makeUuid(), ids, digests, formId]]),
    );
  }

  /** Batches are read first: one that is indexed meanwhile is then found twice rather than never. */
  private async *candidates(formId: number, made: string): AsyncGenerator<Buffer[]> {
    const digest = Buffer.from(made, 'hex');
    let batchId: Buffer = NO_ID;
    for (;;) {
      const batches = await this.reads.manager
        .getRepository(SubmissionBatch)
        .createQueryBuilder('batch')
        .where('batch.id > :batchId AND batch.removedFrom IS NULL', { batchId })
        .andWhere('(batch.digests IS NULL OR INSTR(batch.digests, :digest) > 0)', { digest })
        .orderBy('batch.id')
        .limit(BATCHES_AT_ONCE)
        .getMany();
      const last = batches.at(-1);
      if (!last) break;
      yield batches.flatMap((batch) => batch.idsThatMayHave(made));
      batchId = last.id;
    }
    let submissionId: Buffer = NO_ID;
    for (;;) {
      const entries = await this.reads.manager.query<{ submission_id: Buffer }[]>(
        `SELECT submission_id FROM submission_values WHERE form_id = ? AND digest = ?
          AND submission_id > ? ORDER BY submission_id LIMIT ?`,
        [formId, digest, submissionId, ENTRIES_AT_ONCE],
      );
      const last = entries.at(-1);
      if (!last) return;
      yield entries.map((entry) => entry.submission_id);
      submissionId = last.submission_id;
    }
  }
}
