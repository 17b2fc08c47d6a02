import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { LOWEST_UUID } from '../../platform/kernel/uuid.js';
import type { Submission } from '../../submissions/model/submission.entity.js';
import {
  beyond,
  inOrderOf,
  isWithin,
  type Bound,
  type Order,
} from '../../submissions/rows/submission-ids.js';
import { SubmissionsRepository } from '../../submissions/rows/submissions.repository.js';
import type { Lookup } from '../../submissions/model/value-digests.js';
import { ValueIndexRepository } from './value-index.repository.js';
import {
  Projected,
  type Edited,
  type Erased,
  type Projection,
} from '../../projections/projection.js';

/** Batches, and entries of the index, read by one statement. */
const BATCH_PIECE_ROWS = 100;
const ENTRY_PIECE_ROWS = 500;
/** Entries of the first piece in order: enough for a page. */
const FIRST_PIECE_ROWS = 125;
/** How much longer each next piece is: by so little, since what ends a page or a count in the middle of one was in vain. */
const PIECE_GROWTH = 1.5;

/**
 * Finds submissions by the value of a field, exactly and without reading all of them. Entries are made and
 * removed after the transactions that store and remove submissions; until then the batches hold the digests.
 * An entry is only a candidate, so one without a submission does no harm.
 */
@Injectable()
@Projected({ tables: ['submission_values', 'submission_batches'] })
export class ValueIndex implements Projection {
  constructor(
    private readonly index: ValueIndexRepository,
    private readonly submissions: SubmissionsRepository,
  ) {}

  /**
   * Finds the submissions of a form, in any folder, that a look-up means. One may come twice. Reads in small
   * pieces, as the caller asks for more.
   */
  async *find(formId: number, { digest, isIn }: Lookup): AsyncGenerator<Submission> {
    for await (const ids of this.candidates(formId, digest)) {
      for await (const some of this.submissions.load(formId, ids)) {
        for (const submission of some) if (isIn(submission)) yield submission;
      }
    }
  }

  /**
   * Finds the ids of submissions that a look-up may mean, in the order of time and some at a time. Those not
   * indexed yet are few; they are merged into what the index has.
   */
  async *candidatesInOrder(
    formId: number,
    { digest: made }: Lookup,
    order: Order,
    bound: Bound,
  ): AsyncGenerator<Buffer[]> {
    const compare = inOrderOf(order);
    let waiting: Buffer[] = [];
    for await (const ids of this.waiting(made))
      waiting.push(...ids.filter((id) => isWithin(id, bound)));
    const digest = Buffer.from(made, 'hex');
    let from = bound;
    for (let rows = FIRST_PIECE_ROWS; ; rows = longer(rows, ENTRY_PIECE_ROWS)) {
      const indexed = await this.index.idsInOrder(formId, digest, order, from, rows);
      const last = indexed.at(-1);
      const now = last ? waiting.filter((id) => compare(id, last) <= 0) : waiting;
      const found = new Map([...indexed, ...now].map((id) => [id.toString('latin1'), id]));
      if (found.size > 0) yield [...found.values()].sort(compare);
      if (!last) return;
      waiting = waiting.filter((id) => compare(id, last) > 0);
      from = beyond(last, order);
    }
  }

  /**
   * Enqueues the removal of these submissions' entries. Runs in the transaction that removes the submissions.
   */
  async forget(tx: EntityManager, { formId, values }: Erased): Promise<void> {
    if (formId !== null) await this.index.in(tx).addRemoval(formId, values);
  }

  /** Changes the entries of a submission whose values are changed, in the same transaction. */
  async editValues(tx: EntityManager, { formId, id, gone, come }: Edited): Promise<void> {
    const index = this.index.in(tx);
    await index.insert([{ formId, id, digests: come }]);
    // Later, since those that go may wait to be made.
    if (gone.length > 0) await index.addRemoval(formId, [{ id, digests: gone }]);
  }

  /** Reads batches first: a batch that is indexed meanwhile is then found twice rather than never. */
  private async *candidates(formId: number, made: string): AsyncGenerator<Buffer[]> {
    yield* this.waiting(made);
    const digest = Buffer.from(made, 'hex');
    let submissionId: Buffer = LOWEST_UUID;
    for (;;) {
      const ids = await this.index.idsWith(formId, digest, submissionId, ENTRY_PIECE_ROWS);
      const last = ids.at(-1);
      if (!last) return;
      yield ids;
      submissionId = last;
    }
  }

  /** Returns the ids of those that may have what a look-up means, and are not indexed yet; of any form. */
  async waitingFor({ digest }: Lookup): Promise<Buffer[]> {
    const found: Buffer[] = [];
    for await (const ids of this.waiting(digest)) found.push(...ids);
    return found;
  }

  /** Finds what may have the value among the submissions that are not indexed yet. */
  private async *waiting(made: string): AsyncGenerator<Buffer[]> {
    const digest = Buffer.from(made, 'hex');
    let batchId: Buffer = LOWEST_UUID;
    for (;;) {
      const batches = await this.index.batchesThatMayHave(digest, batchId, BATCH_PIECE_ROWS);
      const last = batches.at(-1);
      if (!last) return;
      yield batches.flatMap((batch) => batch.idsThatMayHave(made));
      batchId = last.id;
    }
  }
}

/** Returns how many rows the next piece has. */
export function longer(rows: number, max: number): number {
  return Math.min(Math.ceil(rows * PIECE_GROWTH), max);
}
