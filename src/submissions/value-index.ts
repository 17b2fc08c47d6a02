import { Injectable } from '@nestjs/common';
import { In, type EntityManager } from 'typeorm';
import { Reads } from '../database/reads.js';
import { holdingRows } from '../database/row-lock.js';
import { insertion, runAll } from '../database/statement.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { timeOf } from '../shared/uuid.js';
import { ID_BYTES, SubmissionBatch, type BatchEntry } from './submission-batch.entity.js';
import { SubmissionValue } from './submission-value.entity.js';
import { SubmissionWriter } from './submission-writer.js';
import { Submission } from './submission.entity.js';
import { SubmittedValues } from './submitted-values.js';
import { digestOf, digestsOf } from './value-digests.js';

/**
 * Batches that are read at once, and submissions that one transaction indexes: others wait for it. What is
 * read beyond that is read again; a crowd makes batches of some thirty.
 */
const BATCHES_AT_ONCE = 20;
const SUBMISSIONS_AT_ONCE = 500;
/**
 * While submissions crowd in, the index waits: it would take a third of what the database and we can
 * do. Once the oldest batch has waited this long it is made nevertheless, since every question reads them
 * all: by then there are some 10,000.
 */
const WAIT_MAX_MS = 120_000;
/** Rows that one statement inserts. */
const ROWS_AT_ONCE = 500;
/** Entries that one statement removes: SQLite nests conditions no deeper than 1,000. */
const ENTRIES_AT_ONCE = 200;
/** Candidates that are loaded at once to be compared. */
const CANDIDATES_AT_ONCE = 200;
const COLUMNS = ['form_id', 'digest', 'submission_id'];

/**
 * Answers which submissions have a value in a field, exactly and without reading them all. Entries
 * are made when there is time after the submission is stored; until then its batch has the digests.
 */
@Injectable()
export class ValueIndex {
  constructor(
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly writer: SubmissionWriter,
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
   * Indexes the oldest batches that wait for it, unless there are better things to do.
   * @returns whether it did
   */
  async indexNext(): Promise<boolean> {
    const oldest = await this.reads.manager
      .getRepository(SubmissionBatch)
      .find({ order: { id: 'ASC' }, take: BATCHES_AT_ONCE });
    const waiting = firstOf(oldest);
    const [first] = waiting;
    if (!first || (this.writer.isCrowded && ageOf(first) < WAIT_MAX_MS)) return false;
    try {
      await this.unitOfWork.run((tx) => this.indexBatches(tx, waiting));
    } catch (error) {
      if (!(error instanceof BatchesTaken)) throw error;
    }
    return true;
  }

  /** Removes the entries of submissions that were just removed, within the same transaction. */
  async remove(tx: EntityManager, submissions: Submission[]): Promise<void> {
    const entries = submissions.flatMap((gone) => rowsOf(gone, digestsOf(gone.values)));
    for (let from = 0; from < entries.length; from += ENTRIES_AT_ONCE) {
      const some = entries.slice(from, from + ENTRIES_AT_ONCE);
      const any = some.map(() => '(form_id = ? AND digest = ? AND submission_id = ?)').join(' OR ');
      await tx.query(`DELETE FROM submission_values WHERE ${any}`, some.flat());
    }
  }

  /** Batches are read first: one that is indexed meanwhile is then found twice rather than never. */
  private async candidates(formId: number, name: string, text: string): Promise<Buffer[]> {
    const made = digestOf(name, text);
    const digest = Buffer.from(made, 'hex');
    const batches = await this.reads.manager
      .getRepository(SubmissionBatch)
      .createQueryBuilder('batch')
      .where('batch.digests IS NULL OR INSTR(batch.digests, :digest) > 0', { digest })
      .getMany();
    const entries = await this.reads.manager
      .getRepository(SubmissionValue)
      .findBy({ formId, digest });
    const ids = [
      ...batches.flatMap((batch) => batch.idsThatMayHave(made)),
      ...entries.map(({ submissionId }) => submissionId),
    ];
    return [...new Map(ids.map((id) => [keyOf(id), id])).values()];
  }

  private async indexBatches(tx: EntityManager, batches: SubmissionBatch[]): Promise<void> {
    const ids = batches.map(({ id }) => id);
    const { affected } = await tx.getRepository(SubmissionBatch).delete({ id: In(ids) });
    if (affected !== ids.length) throw new BatchesTaken();
    const entries = batches.flatMap((batch) => batch.entries);
    for (let from = 0; from < entries.length; from += ROWS_AT_ONCE) {
      await this.index(tx, entries.slice(from, from + ROWS_AT_ONCE));
    }
  }

  /** The rows are held meanwhile, so that one which is being deleted leaves no entry behind. */
  private async index(tx: EntityManager, entries: BatchEntry[]): Promise<void> {
    const digests = new Map(entries.map((entry) => [keyOf(entry.id), entry.digests]));
    const query = tx
      .getRepository(Submission)
      .createQueryBuilder('submission')
      .select('submission.id', 'id')
      .addSelect('submission.formId', 'formId')
      .where({ id: In(entries.map(({ id }) => id)) });
    const whole = entries.some((entry) => entry.digests === null);
    if (whole) query.addSelect('submission.payload', 'payload');
    // Rows as they come: there are many, and entities of them cost more than all else here.
    const submissions = await holdingRows(query).getRawMany<Indexed & { payload: string }>();
    const rows = submissions.flatMap((submission) =>
      rowsOf(
        submission,
        digests.get(keyOf(submission.id)) ?? digestsOf(SubmittedValues.decode(submission.payload)),
      ),
    );
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
      await runAll(
        tx,
        insertion('submission_values', COLUMNS, rows.slice(from, from + ROWS_AT_ONCE)),
      );
    }
  }
}

/** What the index says of a submission besides its values. */
type Indexed = Pick<Submission, 'id' | 'formId'>;

/** Another instance took some of the same batches: its entries are made, the rest is for the next round. */
class BatchesTaken extends Error {}

/** As many batches as one transaction takes; one at least, and alone if its submissions must be read. */
function firstOf(batches: SubmissionBatch[]): SubmissionBatch[] {
  let bytes = 0;
  const end = batches.findIndex(({ submissionIds, digests }, index) => {
    bytes += submissionIds.length;
    return index > 0 && (digests === null || bytes > SUBMISSIONS_AT_ONCE * ID_BYTES);
  });
  return batches[0]?.digests === null
    ? batches.slice(0, 1)
    : batches.slice(0, end < 0 ? undefined : end);
}

/** How long a batch has waited, in milliseconds. */
function ageOf({ id }: SubmissionBatch): number {
  return Date.now() - timeOf(id).getTime();
}

/** The rows that a submission has in the index, one for each distinct value. */
function rowsOf({ formId, id }: Indexed, digests: string[]): unknown[][] {
  return digests.map((digest) => [formId, Buffer.from(digest, 'hex'), id]);
}

/** Bytes as a key of a map. */
function keyOf(id: Buffer): string {
  return id.toString('latin1');
}
