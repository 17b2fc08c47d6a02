import { Injectable } from '@nestjs/common';
import { In, type EntityManager } from 'typeorm';
import { ReadManager } from '../../platform/database/read-manager.js';
import { forUpdate } from '../../platform/database/row-lock.js';
import { insertStatement, runStatements } from '../../platform/database/statement.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { timeOf } from '../../platform/kernel/uuid.js';
import { SubmissionBatch, type DigestedEntry } from '../storage/submission-batch.entity.js';
import { SubmissionWriter } from '../storage/submission-writer.js';
import { Submission } from '../submission.entity.js';
import { DIGEST_BYTES, digestsOf } from './value-digests.js';

/** Batches that are read at once. */
const BATCHES_AT_ONCE = 20;
/** Values whose entries one transaction makes or removes: others wait for it. */
const VALUES_AT_ONCE = 4_000;
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
const COLUMNS = ['form_id', 'digest', 'submission_id'];

/** Brings the index of values in line with what was stored and removed, batch by batch. */
@Injectable()
export class ValueIndexer {
  constructor(
    private readonly reads: ReadManager,
    private readonly unitOfWork: UnitOfWork,
    private readonly writer: SubmissionWriter,
  ) {}

  /**
   * Works off some of the oldest batches, unless there are better things to do.
   * @returns whether it did
   */
  async indexNext(): Promise<boolean> {
    const oldest = await this.reads.manager
      .getRepository(SubmissionBatch)
      .find({ order: { id: 'ASC' }, take: BATCHES_AT_ONCE });
    const batches = firstOf(oldest);
    const [first] = batches;
    if (!first || (this.writer.isUnderLoad && ageOf(first) < WAIT_MAX_MS)) return false;
    try {
      await this.unitOfWork.run((tx) =>
        first.digests === null ? this.digest(tx, first) : this.workOff(tx, batches),
      );
    } catch (error) {
      if (!(error instanceof BatchesTaken)) throw error;
    }
    return true;
  }

  /** Makes the digests of a batch that came without; submissions that are gone have none. */
  private async digest(tx: EntityManager, batch: SubmissionBatch): Promise<void> {
    const ids = batch.entries.map(({ id }) => id);
    const found = await tx.getRepository(Submission).findBy({ id: In(ids) });
    const entries = found.map(({ id, values }) => ({ id, digests: digestsOf(values) }));
    await this.replace(tx, batch, entries);
  }

  /** Makes or removes the entries of batches, or of a part of the only one; the rest stays. */
  private async workOff(tx: EntityManager, batches: SubmissionBatch[]): Promise<void> {
    const [first] = batches;
    if (first && batches.length === 1 && valuesOf(first) > VALUES_AT_ONCE) {
      const [now, later] = SubmissionBatch.divide(first.digestedEntries, VALUES_AT_ONCE);
      await this.replace(tx, first, later);
      await this.apply(tx, first.removedFrom, now);
      return;
    }
    const ids = batches.map(({ id }) => id);
    const { affected } = await tx.getRepository(SubmissionBatch).delete({ id: In(ids) });
    if (affected !== ids.length) throw new BatchesTaken();
    // Stored ones make their entries together, in few statements.
    const stored = batches.filter(({ removedFrom }) => removedFrom === null);
    await this.insert(
      tx,
      stored.flatMap((batch) => batch.digestedEntries),
    );
    for (const { removedFrom, digestedEntries } of batches) {
      if (removedFrom !== null) await this.remove(tx, removedFrom, digestedEntries);
    }
  }

  private apply(
    tx: EntityManager,
    removedFrom: number | null,
    entries: DigestedEntry[],
  ): Promise<void> {
    return removedFrom === null ? this.insert(tx, entries) : this.remove(tx, removedFrom, entries);
  }

  /** Its digests only ever become fewer: their length tells whether another instance was faster. */
  private async replace(
    tx: EntityManager,
    batch: SubmissionBatch,
    entries: DigestedEntry[],
  ): Promise<void> {
    const { affected } = await tx
      .createQueryBuilder()
      .update(SubmissionBatch)
      .set({
        submissionIds: Buffer.concat(entries.map(({ id }) => id)),
        digests: SubmissionBatch.pack(entries.map(({ digests }) => digests)),
      })
      .where('id = :id AND COALESCE(OCTET_LENGTH(digests), -1) = :length', {
        id: batch.id,
        length: batch.digests?.length ?? -1,
      })
      .execute();
    if (affected !== 1) throw new BatchesTaken();
  }

  /** The submissions are held meanwhile, so that one which is being removed leaves no entry behind. */
  private async insert(tx: EntityManager, entries: DigestedEntry[]): Promise<void> {
    const digests = new Map(entries.map((entry) => [keyOf(entry.id), entry.digests]));
    if (digests.size === 0) return;
    const query = tx
      .getRepository(Submission)
      .createQueryBuilder('submission')
      .select('submission.id', 'id')
      .addSelect('submission.formId', 'formId')
      .where({ id: In(entries.map(({ id }) => id)) });
    // Rows as they come: there are many, and entities of them cost more than all else here.
    const found = await forUpdate(query).getRawMany<Pick<Submission, 'id' | 'formId'>>();
    const rows = found.flatMap(({ id, formId }) =>
      rowsOf(formId, { id, digests: digests.get(keyOf(id)) ?? [] }),
    );
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
      const some = rows.slice(from, from + ROWS_AT_ONCE);
      await runStatements(tx, insertStatement('submission_values', COLUMNS, some));
    }
  }

  private async remove(tx: EntityManager, formId: number, entries: DigestedEntry[]): Promise<void> {
    const rows = entries.flatMap((entry) => rowsOf(formId, entry));
    for (let from = 0; from < rows.length; from += ENTRIES_AT_ONCE) {
      const some = rows.slice(from, from + ENTRIES_AT_ONCE);
      const any = some.map(() => '(form_id = ? AND digest = ? AND submission_id = ?)').join(' OR ');
      await tx.query(`DELETE FROM submission_values WHERE ${any}`, some.flat());
    }
  }
}

/** Another instance took some of the same batches: its work is done, the rest is for the next round. */
class BatchesTaken extends Error {}

/** Takes as many batches as one transaction works off; one at least, and alone if it has no digests. */
function firstOf(batches: SubmissionBatch[]): SubmissionBatch[] {
  let values = 0;
  const end = batches.findIndex((batch, index) => {
    values += valuesOf(batch);
    return index > 0 && (batch.digests === null || values > VALUES_AT_ONCE);
  });
  if (batches[0]?.digests === null) return batches.slice(0, 1);
  return batches.slice(0, end < 0 ? undefined : end);
}

/** How long a batch has waited, in milliseconds. */
function ageOf({ id }: SubmissionBatch): number {
  return Date.now() - timeOf(id).getTime();
}

/** Counts the values of a batch, each submission as one more. */
function valuesOf({ digests }: SubmissionBatch): number {
  return (digests?.length ?? 0) / DIGEST_BYTES;
}

/** The rows that a submission has in the index, one for each distinct value. */
function rowsOf(formId: number, { id, digests }: DigestedEntry): unknown[][] {
  return digests.map((digest) => [formId, Buffer.from(digest, 'hex'), id]);
}

/** Bytes as a key of a map. */
function keyOf(id: Buffer): string {
  return id.toString('latin1');
}
