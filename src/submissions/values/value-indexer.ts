import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { timeOf } from '../../platform/kernel/uuid.js';
import { SubmissionBatch } from '../storage/submission-batch.entity.js';
import { SubmissionWriter } from '../storage/submission-writer.js';
import { DIGEST_BYTES, digestsOf } from './value-digests.js';
import { ValueIndexRepository } from './value-index.repository.js';

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
/** Brings the index of values in line with what was stored and removed, batch by batch. */
@Injectable()
export class ValueIndexer {
  constructor(
    private readonly index: ValueIndexRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly writer: SubmissionWriter,
  ) {}

  /**
   * Works off some of the oldest batches, unless there are better things to do.
   * @returns whether it did
   */
  async indexNext(): Promise<boolean> {
    const oldest = await this.index.oldestBatches(BATCHES_AT_ONCE);
    const batches = firstOf(oldest);
    const [first] = batches;
    if (!first || (this.writer.isUnderLoad && ageOf(first) < WAIT_MAX_MS)) return false;
    try {
      await this.unitOfWork.run((tx) => {
        const index = this.index.in(tx);
        return first.digests === null ? this.digest(index, first) : this.workOff(index, batches);
      });
    } catch (error) {
      if (!(error instanceof BatchesTaken)) throw error;
    }
    return true;
  }

  /** Makes the digests of a batch that came without; submissions that are gone have none. */
  private async digest(index: ValueIndexRepository, batch: SubmissionBatch): Promise<void> {
    const found = await index.submissions(batch.entries.map(({ id }) => id));
    const entries = found.map(({ id, values }) => ({ id, digests: digestsOf(values) }));
    if (!(await index.replaceEntries(batch, entries))) throw new BatchesTaken();
  }

  /** Makes or removes the entries of batches, or of a part of the only one; the rest stays. */
  private async workOff(index: ValueIndexRepository, batches: SubmissionBatch[]): Promise<void> {
    const [first] = batches;
    if (first && batches.length === 1 && valuesOf(first) > VALUES_AT_ONCE) {
      const [now, later] = SubmissionBatch.divide(first.digestedEntries, VALUES_AT_ONCE);
      if (!(await index.replaceEntries(first, later))) throw new BatchesTaken();
      if (first.removedFrom === null) await index.insert(now);
      else await index.remove(first.removedFrom, now);
      return;
    }
    const removed = await index.removeBatches(batches.map(({ id }) => id));
    if (removed !== batches.length) throw new BatchesTaken();
    // Stored ones make their entries together, in few statements.
    const stored = batches.filter(({ removedFrom }) => removedFrom === null);
    await index.insert(stored.flatMap((batch) => batch.digestedEntries));
    for (const { removedFrom, digestedEntries } of batches) {
      if (removedFrom !== null) await index.remove(removedFrom, digestedEntries);
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
