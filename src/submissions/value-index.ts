import { Injectable } from '@nestjs/common';
import { In, type EntityManager } from 'typeorm';
import { insertRows } from '../database/insert-rows.js';
import { Reads } from '../database/reads.js';
import { holdingRows } from '../database/row-lock.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { SubmissionBatch } from './submission-batch.entity.js';
import { SubmissionValue } from './submission-value.entity.js';
import { Submission } from './submission.entity.js';

const ID_BYTES = 16;
/** Batches that are read at once, and submissions that one transaction indexes: others wait for it. */
const BATCHES_AT_ONCE = 20;
const SUBMISSIONS_AT_ONCE = 200;
/** Rows that one statement inserts. */
const ROWS_AT_ONCE = 500;
/** Entries that one statement removes: SQLite nests conditions no deeper than 1,000. */
const ENTRIES_AT_ONCE = 200;
/** Candidates that are loaded at once to be compared. */
const CANDIDATES_AT_ONCE = 200;
const COLUMNS = ['form_id', 'digest', 'submission_id'];

/**
 * Answers which submissions have a value in a field, exactly and without reading them all. Entries
 * are made soon after the submission is stored; what has none yet is known by its batch and compared
 * one by one.
 */
@Injectable()
export class ValueIndex {
  constructor(
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** The submissions of a form, in any folder, whose field `name` has exactly the value `text`. */
  async *find(formId: number, name: string, text: string): AsyncGenerator<Submission> {
    const submissions = this.reads.manager.getRepository(Submission);
    const ids = await this.candidates(formId, name, text);
    for (let from = 0; from < ids.length; from += CANDIDATES_AT_ONCE) {
      const id = In(ids.slice(from, from + CANDIDATES_AT_ONCE));
      for (const submission of await submissions.findBy({ id })) {
        if (submission.formId === formId && submission.values.has(name, text)) yield submission;
      }
    }
  }

  /**
   * Indexes the oldest batches that wait for it.
   * @returns whether there were any
   */
  async indexNext(): Promise<boolean> {
    const oldest = await this.reads.manager
      .getRepository(SubmissionBatch)
      .find({ order: { id: 'ASC' }, take: BATCHES_AT_ONCE });
    const waiting = firstOf(oldest);
    if (waiting.length === 0) return false;
    try {
      await this.unitOfWork.run((tx) => this.indexBatches(tx, waiting));
    } catch (error) {
      if (!(error instanceof BatchesTaken)) throw error;
    }
    return true;
  }

  /** Removes the entries of submissions that were just removed, within the same transaction. */
  async remove(tx: EntityManager, submissions: Submission[]): Promise<void> {
    const entries = submissions.flatMap(entriesOf);
    for (let from = 0; from < entries.length; from += ENTRIES_AT_ONCE) {
      const some = entries.slice(from, from + ENTRIES_AT_ONCE);
      const any = some.map(() => '(form_id = ? AND digest = ? AND submission_id = ?)').join(' OR ');
      await tx.query(`DELETE FROM submission_values WHERE ${any}`, some.flat());
    }
  }

  /** Batches are read first: one that is indexed meanwhile is then found twice rather than never. */
  private async candidates(formId: number, name: string, text: string): Promise<Buffer[]> {
    const batches = await this.reads.manager.getRepository(SubmissionBatch).find();
    const digest = SubmissionValue.digestOf(name, text);
    const entries = await this.reads.manager
      .getRepository(SubmissionValue)
      .findBy({ formId, digest });
    const ids = [
      ...batches.flatMap(({ submissionIds }) => split(submissionIds)),
      ...entries.map(({ submissionId }) => submissionId),
    ];
    return [...new Map(ids.map((id) => [id.toString('latin1'), id])).values()];
  }

  private async indexBatches(tx: EntityManager, batches: SubmissionBatch[]): Promise<void> {
    const ids = batches.map(({ id }) => id);
    const { affected } = await tx.getRepository(SubmissionBatch).delete({ id: In(ids) });
    if (affected !== ids.length) throw new BatchesTaken();
    await this.index(
      tx,
      batches.flatMap(({ submissionIds }) => split(submissionIds)),
    );
  }

  /** The rows are held meanwhile, so that one which is being deleted leaves no entry behind. */
  private async index(tx: EntityManager, ids: Buffer[]): Promise<void> {
    for (let from = 0; from < ids.length; from += ROWS_AT_ONCE) {
      const some = ids.slice(from, from + ROWS_AT_ONCE);
      const query = tx
        .getRepository(Submission)
        .createQueryBuilder('submission')
        .select(['submission.id', 'submission.formId', 'submission.payload']);
      const submissions = await holdingRows(query.where({ id: In(some) })).getMany();
      const rows = submissions.flatMap(entriesOf);
      for (let row = 0; row < rows.length; row += ROWS_AT_ONCE) {
        const chunk = rows.slice(row, row + ROWS_AT_ONCE);
        await insertRows(tx, 'submission_values', COLUMNS, chunk);
      }
    }
  }
}

/** Another instance took some of the same batches: its entries are made, the rest is for the next round. */
class BatchesTaken extends Error {}

/** As many batches as one transaction takes; one at least. */
function firstOf(batches: SubmissionBatch[]): SubmissionBatch[] {
  let bytes = 0;
  return batches.filter(({ submissionIds }, index) => {
    bytes += submissionIds.length;
    return index === 0 || bytes <= SUBMISSIONS_AT_ONCE * ID_BYTES;
  });
}

function split(ids: Buffer): Buffer[] {
  const count = ids.length / ID_BYTES;
  return Array.from({ length: count }, (_, index) =>
    ids.subarray(index * ID_BYTES, (index + 1) * ID_BYTES),
  );
}

/** The rows that a submission has in the index, one for each distinct value. */
function entriesOf({ id, formId, values }: Submission): unknown[][] {
  const digests = new Map<string, Buffer>();
  for (const { name, text } of values.scalars()) {
    const digest = SubmissionValue.digestOf(name, text);
    digests.set(digest.toString('latin1'), digest);
  }
  return [...digests.values()].map((digest) => [formId, digest, id]);
}
