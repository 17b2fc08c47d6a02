import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { DigestedEntry } from '../storage/submission-batch.entity.js';
import type { Submission } from '../submission.entity.js';
import { SubmissionsRepository } from '../submissions.repository.js';
import { digestOf } from './value-digests.js';
import { ValueIndexRepository } from './value-index.repository.js';

/** Batches, and entries of the index, read by one statement. */
const BATCH_PIECE_ROWS = 100;
const ENTRY_PIECE_ROWS = 500;
/** Lower than any id. */
const NO_ID = Buffer.alloc(16);

/**
 * Finds submissions by the value of a field, exactly and without reading all of them. Entries are made and
 * removed after the transactions that store and remove submissions; until then the batches hold the digests.
 * An entry is only a candidate, so one without a submission does no harm.
 */
@Injectable()
export class ValueIndex {
  constructor(
    private readonly index: ValueIndexRepository,
    private readonly submissions: SubmissionsRepository,
  ) {}

  /**
   * Finds the submissions of a form, in any folder, whose field `name` has exactly the value `text`. One may
   * come twice. Reads in small pieces, as the caller asks for more.
   */
  async *find(formId: number, name: string, text: string): AsyncGenerator<Submission> {
    for await (const ids of this.candidates(formId, digestOf(name, text))) {
      for await (const some of this.submissions.load(formId, ids)) {
        for (const submission of some) if (submission.values.has(name, text)) yield submission;
      }
    }
  }

  /**
   * Enqueues the removal of these submissions' entries. Runs in the transaction that removes the submissions.
   */
  async forget(
    tx: EntityManager,
    formId: number,
    removed: readonly DigestedEntry[],
  ): Promise<void> {
    await this.index.in(tx).addRemoval(formId, removed);
  }

  /** Reads batches first: a batch that is indexed meanwhile is then found twice rather than never. */
  private async *candidates(formId: number, made: string): AsyncGenerator<Buffer[]> {
    const digest = Buffer.from(made, 'hex');
    let batchId: Buffer = NO_ID;
    for (;;) {
      const batches = await this.index.batchesThatMayHave(digest, batchId, BATCH_PIECE_ROWS);
      const last = batches.at(-1);
      if (!last) break;
      yield batches.flatMap((batch) => batch.idsThatMayHave(made));
      batchId = last.id;
    }
    let submissionId: Buffer = NO_ID;
    for (;;) {
      const ids = await this.index.idsWith(formId, digest, submissionId, ENTRY_PIECE_ROWS);
      const last = ids.at(-1);
      if (!last) return;
      yield ids;
      submissionId = last;
    }
  }
}
