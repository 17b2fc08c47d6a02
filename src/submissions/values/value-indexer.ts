import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { timeOf } from '../../platform/kernel/uuid.js';
import { SubmissionBatch } from '../storage/submission-batch.entity.js';
import { FacetCounting } from '../facets/facet-counting.service.js';
import { decodeReceived } from '../statistics/received.js';
import { SubmissionCountsRepository } from '../statistics/submission-counts.repository.js';
import { SubmissionWriter } from '../storage/submission-writer.js';
import { TextMover } from '../texts/text-mover.js';
import { DIGEST_BYTES, digestsOf } from './value-digests.js';
import { ValueIndexRepository } from './value-index.repository.js';

/** Batches read by one round; those beyond VALUES_PER_TRANSACTION are read again in the next. */
const BATCHES_PER_ROUND = 20;
/** Values whose entries one transaction makes or removes; others wait for it. */
const VALUES_PER_TRANSACTION = 4_000;
/**
 * How long a batch may wait under load, in milliseconds. Indexing would take a third of the capacity
 * meanwhile, so it waits; but every look-up reads all waiting batches, which are some 10,000 by then.
 */
const WAIT_MAX_MS = 120_000;
/** Updates the index of values, the texts and the counts for stored and removed submissions, batch by batch. */
@Injectable()
export class ValueIndexer {
  constructor(
    private readonly index: ValueIndexRepository,
    private readonly counts: SubmissionCountsRepository,
    private readonly facets: FacetCounting,
    private readonly texts: TextMover,
    private readonly unitOfWork: UnitOfWork,
    private readonly writer: SubmissionWriter,
  ) {}

  /**
   * Indexes some of the oldest batches, unless submissions come fast and none has waited for long.
   * @returns whether it did
   */
  async indexNext(): Promise<boolean> {
    const oldest = await this.index.oldestBatches(BATCHES_PER_ROUND);
    const batches = firstOf(oldest);
    const [first] = batches;
    if (!first || (this.writer.isUnderLoad && ageOf(first) < WAIT_MAX_MS)) return false;
    try {
      await this.unitOfWork.run((tx) => {
        const index = this.index.in(tx);
        return first.digests === null
          ? this.digest(index, first)
          : this.workOff(tx, index, batches);
      });
    } catch (error) {
      if (!(error instanceof BatchesTaken)) throw error;
    }
    return true;
  }

  /** Makes the digests of a batch that came without; submissions that are gone have none. */
  private async digest(index: ValueIndexRepository, batch: SubmissionBatch): Promise<void> {
    const found = await index.submissions(batch.entries.map(({ id }) => id));
    const entries = found.map((each) => ({ id: each.id, digests: digestsOf(each) }));
    if (!(await index.replaceEntries(batch, entries))) throw new BatchesTaken();
  }

  /** Makes or removes the entries of batches, or of a part of the only one; the rest stays. */
  private async workOff(
    tx: EntityManager,
    index: ValueIndexRepository,
    batches: SubmissionBatch[],
  ): Promise<void> {
    const [first] = batches;
    if (first && batches.length === 1 && valuesOf(first) > VALUES_PER_TRANSACTION) {
      const [now, later] = SubmissionBatch.divide(first.digestedEntries, VALUES_PER_TRANSACTION);
      if (!(await index.replaceEntries(first, later))) throw new BatchesTaken();
      if (first.removedFrom === null) {
        await index.insert(now);
        const left = new Set(later.map(({ id }) => id.toString('latin1')));
        const done = now.map(({ id }) => id).filter((id) => !left.has(id.toString('latin1')));
        await this.texts.moveWithin(tx, done);
      } else await index.remove(first.removedFrom, now);
      return;
    }
    const removed = await index.removeBatches(batches.map(({ id }) => id));
    if (removed !== batches.length) throw new BatchesTaken();
    // Stored ones make their entries together, in few statements.
    const stored = batches.filter(({ removedFrom }) => removedFrom === null);
    await index.insert(stored.flatMap((batch) => batch.digestedEntries));
    await this.texts.moveWithin(tx, idsOf(stored));
    for (const batch of batches) {
      const { removedFrom, digestedEntries } = batch;
      if (removedFrom === null) continue;
      await index.remove(removedFrom, digestedEntries);
      // Once more: where locks do not reach all nodes of a cluster, one was perhaps made beside its removal.
      await this.texts.forget(tx, removedFrom, idsOf([batch]));
    }
    // With the batch, and thus once. Last, since other instances wait for the rows of an account.
    const received = batches.flatMap((batch) => decodeReceived(batch.counts));
    await this.facets.add(tx, received);
    await this.counts.in(tx).add(received);
  }
}

/** Thrown to roll back: another instance indexed one of these batches. Retried next round. */
class BatchesTaken extends Error {}

/** Returns as many batches as one transaction indexes: at least one, and alone if it has no digests. */
function firstOf(batches: SubmissionBatch[]): SubmissionBatch[] {
  let values = 0;
  const end = batches.findIndex((batch, index) => {
    values += valuesOf(batch);
    return index > 0 && (batch.digests === null || values > VALUES_PER_TRANSACTION);
  });
  if (batches[0]?.digests === null) return batches.slice(0, 1);
  return batches.slice(0, end < 0 ? undefined : end);
}

function idsOf(batches: readonly SubmissionBatch[]): Buffer[] {
  return batches.flatMap(({ entries }) => entries.map(({ id }) => id));
}

/** Returns how long a batch has waited, in milliseconds. */
function ageOf({ id }: SubmissionBatch): number {
  return Date.now() - timeOf(id).getTime();
}

/** Counts the values of a batch, and one for each submission. */
function valuesOf({ digests }: SubmissionBatch): number {
  return (digests?.length ?? 0) / DIGEST_BYTES;
}
