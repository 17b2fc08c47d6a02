import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { FormQueries } from '../../forms/form-queries.service.js';
import {
  SubmittedValues,
  digestsOf,
  DIGEST_BYTES,
  valueLookup,
  type Lookup,
} from '../../submissions/model/submitted-values.js';
import { keyOf } from '../../submissions/rows/submission-ids.js';
import { type DigestedEntry, SubmissionBatch } from '../../submissions/storage/submission-batch.entity.js';
import { TextMover } from '../texts/block-builder.js';
import { ValueIndexRepository, ValueIndex } from './value-index.js';
import { UnitOfWork } from '../../platform/database/index.js';
import { LOWEST_UUID, timeOf, inPortions, BackgroundTask, type TaskRun, SECOND_MS } from '../../platform/index.js';
import { Counting } from '../../statistics/counting.service.js';
import {
  addedUp,
  decodeReceived,
  divided,
  facetsIn,
  type Received,
  SubmissionBatchesRepository,
} from '../../submissions/rows/received.js';
import { SubmissionWriter } from '../../submissions/storage/submission-writer.js';
import { ValueCame } from '../../submissions/storage/submission-intake.service.js';
import type { Principal, Scope } from '../../accounts/access/index.js';
import type { AuditDetails } from '../../accounts/audit/audit-entry.entity.js';
import { AuditService } from '../../accounts/audit/audit.service.js';
import { formTarget } from '../../forms/model/form-changes.js';
import type { Form } from '../../forms/model/form.entity.js';
import { ErasureService } from '../../submissions/erasure/erasure.service.js';

/** Returns the digests of stored values, and of no place that is known. */
function valueDigestsOf(payload: string) {
  const values = SubmittedValues.decode(payload);
  return digestsOf({ values, origin: null, referer: null, country: null });
}

/** Batches that are entered before what they received is counted. */
const UNCOUNTED_MAX = 1_000;
/** Facets that are added up before some of them are counted. */
const ADDED_UP_FACETS = 2_000;
/** Rows of what is to be counted that one statement reads: each has what up to BATCHES_MAX batches received. */
const READ_AT_ONCE = 20;
/**
 * How long a batch may wait under load, in milliseconds. Indexing would take a third of the capacity
 * meanwhile, so it waits; but every look-up reads all waiting batches, which are some 10,000 by then.
 */
const WAIT_MAX_MS = 120_000;

/** Updates the index of values, the texts and the counts for stored and removed submissions, batch by batch. */
@Injectable()
export class ValueIndexer {
  private batchesAtOnce = BATCHES_MIN;

  constructor(
    private readonly index: ValueIndexRepository,
    private readonly batches: SubmissionBatchesRepository,
    private readonly counting: Counting,
    private readonly texts: TextMover,
    private readonly unitOfWork: UnitOfWork,
    private readonly writer: SubmissionWriter,
  ) {}

  /**
   * Works off what waits, oldest first, at a pace that leaves the event loop to visitors; nothing while submissions come
   * fast and none has waited for long. What comes meanwhile waits for the next call, unless it is enough for a whole
   * transaction: one for each transaction of visitors would cost as much as those. What is entered is counted later, that
   * of many batches together.
   */
  @BackgroundTask('index values', SECOND_MS)
  async indexAll({ signal }: TaskRun): Promise<void> {
    const progress = { isMore: true, uncounted: 0 };
    const enter = async (): Promise<number> => {
      const { taken, isAll } = await this.enterSome();
      progress.uncounted += taken;
      progress.isMore = !isAll;
      return Number(progress.isMore && progress.uncounted < UNCOUNTED_MAX);
    };
    while (progress.isMore && !signal?.aborted) {
      progress.uncounted = 0;
      await inPortions(enter, signal);
      await inPortions(async () => Number(await this.countSome()), signal);
    }
  }

  /**
   * Makes or removes the entries of some of the oldest batches.
   * @returns how many, and whether that was all; none when they are to wait
   */
  private async enterSome() {
    const { valuesAtOnce } = this.index;
    const asked = this.batchesAtOnce;
    const oldest = await this.index.oldestBatches(asked);
    const batches = firstOf(oldest, valuesAtOnce);
    const [first] = batches;
    if (!first || this.isToWait(first)) return { taken: 0, isAll: true };
    const isPart = first.digests === null || valuesOf(first) > valuesAtOnce;
    const isEntered = await this.unlessTaken((tx) => {
      const index = this.index.in(tx);
      if (first.digests === null) return this.digest(index, first);
      if (isPart) return this.enterPart(tx, index, first);
      return this.enterWhole(tx, index, batches);
    });
    const fitting = (batches.length * valuesAtOnce) / (sumOfValues(batches) + 1);
    this.batchesAtOnce = Math.min(Math.max(Math.ceil(fitting), BATCHES_MIN), BATCHES_MAX);
    const isAll = isEntered && !isPart && batches.length === oldest.length && oldest.length < asked;
    return { taken: batches.length, isAll };
  }

  /**
   * Counts some of what was received by batches that are entered; the rest stays, added up. @returns whether there may be
   * more
   */
  private async countSome() {
    const batches: SubmissionBatch[] = [];
    const received: Received[] = [];
    let facets = 0;
    for await (const batch of this.enteredOnes()) {
      if (batches.length === 0 && this.isToWait(batch)) return false;
      if (facets > ADDED_UP_FACETS) break;
      const some = decodeReceived(batch.counts);
      facets += facetsIn(some);
      batches.push(batch);
      received.push(...some);
    }
    if (batches.length === 0) return false;
    const [now, later] = divided(addedUp(received), this.index.facetsAtOnce);
    const isCounted = await this.unlessTaken(async (tx) => {
      const removed = await this.index.in(tx).removeBatches(batches.map(({ id }) => id));
      if (removed !== batches.length) throw new BatchesTaken();
      await this.batches.in(tx).enqueue(later);
      // With the batches, and thus once. Last, since other instances wait for the rows of an account.
      await this.counting.addReceived(tx, now);
    });
    return facets > ADDED_UP_FACETS || later.length > 0 || !isCounted;
  }

  /** Reads the batches that are entered, some at a time. */
  private async *enteredOnes(): AsyncGenerator<SubmissionBatch> {
    let afterId: Buffer = LOWEST_UUID;
    for (;;) {
      const some = await this.index.enteredBatches(afterId, READ_AT_ONCE);
      yield* some;
      const last = some.at(-1);
      if (!last || some.length < READ_AT_ONCE) return;
      afterId = last.id;
    }
  }

  /** Runs a transaction. @returns false when another instance had one of the batches first */
  private async unlessTaken(work: (tx: EntityManager) => Promise<void>) {
    try {
      await this.unitOfWork.run(work);
      return true;
    } catch (error) {
      if (error instanceof BatchesTaken) return false;
      throw error;
    }
  }

  private isToWait(oldest: SubmissionBatch) {
    return this.writer.isUnderLoad && ageOf(oldest) < WAIT_MAX_MS;
  }

  /** Makes the digests of a batch that came without; submissions that are gone have none. */
  private async digest(index: ValueIndexRepository, batch: SubmissionBatch) {
    const found = await index.submissions(batch.entries.map(({ id }) => id));
    const entries = found.map((each) => ({ id: each.id, digests: digestsOf(each) }));
    if (!(await index.replaceEntries(batch, entries))) throw new BatchesTaken();
  }

  /** Makes or removes as many entries of a large batch as one transaction may; the rest stays. */
  private async enterPart(tx: EntityManager, index: ValueIndexRepository, batch: SubmissionBatch) {
    const [now, later] = SubmissionBatch.divide(batch.digestedEntries, index.valuesAtOnce);
    if (!(await index.replaceEntries(batch, later))) throw new BatchesTaken();
    if (batch.removedFrom === null) await this.make(tx, now, later);
    else await this.remove(tx, batch.removedFrom, now);
  }

  /** Makes or removes all entries of batches. What they received is left to be counted, added up in one row. */
  private async enterWhole(tx: EntityManager, index: ValueIndexRepository, batches: SubmissionBatch[]) {
    const taken = await index.takeBatches(batches.map(({ id }) => id));
    if (taken !== batches.length) throw new BatchesTaken();
    const received = batches.flatMap(({ counts }) => decodeReceived(counts));
    await this.batches.in(tx).enqueue(addedUp(received));
    // Stored ones make their entries together, in few statements.
    const stored = batches.filter(({ removedFrom }) => removedFrom === null);
    await this.make(
      tx,
      stored.flatMap((batch) => batch.digestedEntries),
    );
    for (const batch of batches) {
      const { removedFrom, digestedEntries } = batch;
      if (removedFrom === null) continue;
      const gone = await this.remove(tx, removedFrom, digestedEntries);
      // Once more: where locks do not reach all nodes of a cluster, one was perhaps made beside its removal.
      await this.texts.forget(tx, { formId: removedFrom, ids: gone });
    }
  }

  /**
   * Removes the entries of submissions that are gone; of edited ones, the entries of values they no longer have.
   * @returns the ids of those that are gone
   */
  private async remove(tx: EntityManager, formId: number, entries: readonly DigestedEntry[]) {
    const kept = new Map<string, ReadonlySet<string>>();
    const ids = entries.map(({ id }) => id);
    for await (const some of this.texts.lock(tx, ids)) {
      for (const { id, payload } of some) kept.set(keyOf(id), new Set(valueDigestsOf(payload)));
    }
    await this.index.in(tx).remove(
      formId,
      entries.map(({ id, digests }) => {
        return { id, digests: digests.filter((digest) => !kept.get(keyOf(id))?.has(digest)) };
      }),
    );
    return ids.filter((id) => !kept.has(keyOf(id)));
  }

  /**
   * Makes the entries of those submissions that are still there, and the texts of those that are entered as a whole.
   * @param later entries of theirs that are made in another transaction
   */
  private async make(tx: EntityManager, entries: readonly DigestedEntry[], later: readonly DigestedEntry[] = []) {
    const digests = new Map(entries.map((entry) => [keyOf(entry.id), entry.digests]));
    const isLater = new Set(later.map(({ id }) => keyOf(id)));
    const ids = entries.map(({ id }) => id);
    for await (const some of this.texts.lock(tx, ids)) {
      await this.index
        .in(tx)
        .insert(some.map(({ id, formId }) => ({ id, formId, digests: digests.get(keyOf(id)) ?? [] })));
      const whole = some.filter(({ id }) => !isLater.has(keyOf(id)));
      await this.texts.keep(tx, whole);
    }
  }
}

/** Thrown to roll back: another instance indexed one of these batches. Retried next round. */
class BatchesTaken extends Error {}

/** Returns how long a batch has waited, in milliseconds. */
function ageOf({ id }: SubmissionBatch) {
  return Date.now() - timeOf(id).getTime();
}

/** Returns as many batches as one transaction indexes: at least one, and alone if it has no digests. */
function firstOf(batches: SubmissionBatch[], valuesMax: number) {
  let values = 0;
  const end = batches.findIndex((batch, index) => {
    values += valuesOf(batch);
    return index > 0 && (batch.digests === null || values > valuesMax);
  });
  if (batches[0]?.digests === null) return batches.slice(0, 1);
  return batches.slice(0, end < 0 ? undefined : end);
}

/** Counts the values of a batch, and a half for each submission. */
function valuesOf({ digests }: SubmissionBatch) {
  return (digests?.length ?? 0) / DIGEST_BYTES;
}

function sumOfValues(batches: readonly SubmissionBatch[]) {
  return batches.reduce((sum, batch) => sum + valuesOf(batch), 0);
}

/** Batches read by one round, by how many submissions each has; those beyond its values are read again in the next. */
const BATCHES_MIN = 20;
const BATCHES_MAX = 200;

/** Answers and erases by what was submitted in a field. */
@Injectable()
export class ValuesService {
  constructor(
    private readonly forms: FormQueries,
    private readonly values: ValueIndex,
    private readonly erasure: ErasureService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Tells whether the value was submitted in this field, not counting spam and the trash.
   * @throws FormNotFound
   */
  async exists(scope: Scope, identifier: string, name: string, text: string) {
    return this.came(await this.forms.get(scope, identifier), name, text);
  }

  /** Tells the same to the intake, for fields that take each value once. */
  @ValueCame()
  async came(form: Form, name: string, text: string): Promise<boolean> {
    for await (const submission of this.values.find(form.id, valueLookup(name, text))) {
      if (submission.isCounted) return true;
    }
    return false;
  }

  /**
   * Removes every submission, spam and trash too, with this value in this field.
   * @returns how many
   * @throws FormNotFound
   */
  async erase(principal: Principal, identifier: string, name: string, text: string) {
    const form = await this.forms.get(principal, identifier);
    return this.eraseFound(principal, form, valueLookup(name, text), { field: name });
  }

  /**
   * Removes every submission of a form that a look-up means, spam and trash too. The form's scope was checked already.
   * @param details what the audit log says beside the count
   * @returns how many
   */
  async eraseFound(
    principal: Principal,
    form: Pick<Form, 'id' | 'identifier' | 'name'>,
    lookup: Lookup,
    details: AuditDetails,
  ) {
    const ids: Buffer[] = [];
    for await (const { id } of this.values.find(form.id, lookup)) ids.push(id);
    return this.erasure.erase(form.id, ids, (tx, count) =>
      this.audit.recordBy(tx, principal, {
        action: 'submissions.erased',
        target: formTarget(form),
        details: { ...details, count },
      }),
    );
  }
}
