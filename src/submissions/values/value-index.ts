import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { DigestedEntry } from '../storage/submission-batch.entity.js';
import type { Submission } from '../submission.entity.js';
import { SubmissionsRepository } from '../submissions.repository.js';
import { digestOf } from './value-digests.js';
import { ValueIndexRepository } from './value-index.repository.js';

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
    private readonly index: ValueIndexRepository,
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
    await this.index.in(tx).addRemoval(formId, removed);
  }

  /** Batches are read first: one that is indexed meanwhile is then found twice rather than never. */
  private async *candidates(formId: number, made: string): AsyncGenerator<Buffer[]> {
    const digest = Buffer.from(made, 'hex');
    let batchId: Buffer = NO_ID;
    for (;;) {
      const batches = await this.index.batchesThatMayHave(digest, batchId, BATCHES_AT_ONCE);
      const last = batches.at(-1);
      if (!last) break;
      yield batches.flatMap((batch) => batch.idsThatMayHave(made));
      batchId = last.id;
    }
    let submissionId: Buffer = NO_ID;
    for (;;) {
      const ids = await this.index.idsWith(formId, digest, submissionId, ENTRIES_AT_ONCE);
      const last = ids.at(-1);
      if (!last) return;
      yield ids;
      submissionId = last;
    }
  }
}
