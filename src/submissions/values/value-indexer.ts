import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { timeOf } from '../../platform/kernel/uuid.js';
import { Pace } from '../../platform/kernel/pace.js';
import { keyOf } from '../byte-pieces.js';
import { SubmissionBatch, type DigestedEntry } from '../storage/submission-batch.entity.js';
import { FacetCounting } from '../facets/facet-counting.service.js';
import { addedUp, decodeReceived } from '../statistics/received.js';
import { SubmissionCountsRepository } from '../statistics/submission-counts.repository.js';
import { SubmissionWriter } from '../storage/submission-writer.js';
import { TextMover } from '../texts/text-mover.js';
import { DIGEST_BYTES, digestsOf } from './value-digests.js';
import { ValueIndexRepository } from './value-index.repository.js';

/** Batches read by one round, by how many submissions each has; those beyond its values are read again in the next. */
const BATCHES_MIN = 20;
const BATCHES_MAX = 400;
/**
 * How long a batch may wait under load, in milliseconds. Indexing would take a third of the capacity
 * meanwhile, so it waits; but every look-up reads all waiting batches, which are some 10,000 by then.
 */
const WAIT_MAX_MS = 120_000;
/** Updates the index of values, the texts and the counts for stored and removed submissions, batch by batch. */
@Injectable()
export class ValueIndexer {
  private readonly pace = new Pace();
  private batchesAtOnce = BATCHES_MIN;

  constructor(
    private readonly index: ValueIndexRepository,
    private readonly counts: SubmissionCountsRepository,
    private readonly facets: FacetCounting,
    private readonly texts: TextMover,
    private readonly unitOfWork: UnitOfWork,
    private readonly writer: SubmissionWriter,
  ) {}

  /**
   * Indexes what waits, oldest first, at a pace that leaves the event loop to visitors; nothing while submissions come
   * fast and none has waited for long.
   * @param signal stops it between two transactions
   */
  async indexAll(signal?: AbortSignal): Promise<void> {
    await this.pace.through(() => this.indexNext(), signal);
  }

  /** Indexes some of the oldest batches. @returns whether there may be more to do now */
  private async indexNext(): Promise<boolean> {
    const limit = this.batchesAtOnce;
    const oldest = await this.index.oldestBatches(limit);
    const batches = firstOf(oldest, this.index.valuesAtOnce);
    const [first] = batches;
    if (!first || (this.writer.isUnderLoad && ageOf(first) < WAIT_MAX_MS)) return false;
    let isWhole = false;
    try {
      isWhole = await this.unitOfWork.run((tx) => {
        const index = this.index.in(tx);
        return first.digests === null
          ? this.digest(index, first)
          : this.workOff(tx, index, batches);
      });
    } catch (error) {
      if (!(error instanceof BatchesTaken)) throw error;
    }
    const fitting = (batches.length * this.index.valuesAtOnce) / (sumOfValues(batches) + 1);
    this.batchesAtOnce = Math.min(Math.max(Math.ceil(fitting), BATCHES_MIN), BATCHES_MAX);
    return !isWhole || batches.length === limit || batches.length < oldest.length;
  }

  /** Makes the digests of a batch that came without; submissions that are gone have none. @returns false: it is to be indexed yet */
  private async digest(index: ValueIndexRepository, batch: SubmissionBatch): Promise<boolean> {
    const found = await index.submissions(batch.entries.map(({ id }) => id));
    const entries = found.map((each) => ({ id: each.id, digests: digestsOf(each) }));
    if (!(await index.replaceEntries(batch, entries))) throw new BatchesTaken();
    return false;
  }

  /** Makes or removes the entries of batches, or of a part of the only one. @returns false when the rest stays */
  private async workOff(
    tx: EntityManager,
    index: ValueIndexRepository,
    batches: SubmissionBatch[],
  ): Promise<boolean> {
    const [first] = batches;
    if (first && batches.length === 1 && valuesOf(first) > index.valuesAtOnce) {
      const [now, later] = SubmissionBatch.divide(first.digestedEntries, index.valuesAtOnce);
      if (!(await index.replaceEntries(first, later))) throw new BatchesTaken();
      if (first.removedFrom === null) await this.enter(tx, index, now, later);
      else await index.remove(first.removedFrom, now);
      return false;
    }
    const removed = await index.removeBatches(batches.map(({ id }) => id));
    if (removed !== batches.length) throw new BatchesTaken();
    // Stored ones make their entries together, in few statements.
    const stored = batches.filter(({ removedFrom }) => removedFrom === null);
    await this.enter(
      tx,
      index,
      stored.flatMap((batch) => batch.digestedEntries),
    );
    for (const batch of batches) {
      const { removedFrom, digestedEntries } = batch;
      if (removedFrom === null) continue;
      await index.remove(removedFrom, digestedEntries);
      // Once more: where locks do not reach all nodes of a cluster, one was perhaps made beside its removal.
      const ids = batch.entries.map(({ id }) => id);
      await this.texts.forget(tx, removedFrom, ids);
    }
    // With the batch, and thus once. Last, since other instances wait for the rows of an account.
    const received = addedUp(batches.flatMap((batch) => decodeReceived(batch.counts)));
    await this.facets.add(tx, received);
    await this.counts.in(tx).add(received);
    return true;
  }

  /**
   * Makes the entries of those submissions that are still there, and the texts of those that are entered as a whole.
   * @param later entries of theirs that are made in another transaction
   */
  private async enter(
    tx: EntityManager,
    index: ValueIndexRepository,
    entries: readonly DigestedEntry[],
    later: readonly DigestedEntry[] = [],
  ): Promise<void> {
    const digests = new Map(entries.map((entry) => [keyOf(entry.id), entry.digests]));
    const isLater = new Set(later.map(({ id }) => keyOf(id)));
    const ids = entries.map(({ id }) => id);
    for await (const some of this.texts.lock(tx, ids)) {
      await index.insert(
        some.map(({ id, formId }) => ({ id, formId, digests: digests.get(keyOf(id)) ?? [] })),
      );
      const whole = some.filter(({ id }) => !isLater.has(keyOf(id)));
      await this.texts.keep(tx, whole);
    }
  }
}

/** Thrown to roll back: another instance indexed one of these batches. Retried next round. */
class BatchesTaken extends Error {}

/** Returns as many batches as one transaction indexes: at least one, and alone if it has no digests. */
function firstOf(batches: SubmissionBatch[], valuesMax: number): SubmissionBatch[] {
  let values = 0;
  const end = batches.findIndex((batch, index) => {
    values += valuesOf(batch);
    return index > 0 && (batch.digests === null || values > valuesMax);
  });
  if (batches[0]?.digests === null) return batches.slice(0, 1);
  return batches.slice(0, end < 0 ? undefined : end);
}

/** Returns how long a batch has waited, in milliseconds. */
function ageOf({ id }: SubmissionBatch): number {
  return Date.now() - timeOf(id).getTime();
}

/** Counts the values of a batch, and a half for each submission. */
function valuesOf({ digests }: SubmissionBatch): number {
  return (digests?.length ?? 0) / DIGEST_BYTES;
}

function sumOfValues(batches: readonly SubmissionBatch[]): number {
  return batches.reduce((sum, batch) => sum + valuesOf(batch), 0);
}
