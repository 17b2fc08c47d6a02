import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  isEmbedded,
  onConflictSql,
  entityOf,
  selectEntities,
  selectRows,
  TransactionalRepository,
  changeRows,
  insertStatement,
  placeholders,
  runStatements,
} from '../../platform/database/index.js';
import { LOWEST_UUID, makeUuid, inSlices } from '../../platform/index.js';
import { SubmissionBatch, type DigestedEntry } from '../../submissions/storage/submission-batch.entity.js';
import { type Bound, type Order, beyond, inOrderOf, isWithin } from '../../submissions/rows/submission-ids.js';
import { Submission } from '../../submissions/model/submission.entity.js';
import { SubmissionsRepository } from '../../submissions/rows/submissions.repository.js';
import type { Lookup } from '../../submissions/model/submitted-values.js';
import { Projected, type Edited, type Erased, type Projection } from '../../forms/projections.js';
import './submission-value.entity.js';

/**
 * Values whose entries one transaction makes or removes: the server stores nothing else meanwhile as fast. On the embedded
 * database visitors wait for all of it.
 */
const VALUES_AT_ONCE = 800;
const EMBEDDED_VALUES_AT_ONCE = 300;
/** Facets, each of a form and an hour, that one transaction counts: each has up to six rows. */
const FACETS_AT_ONCE = 50;
const EMBEDDED_FACETS_AT_ONCE = 60;
/** Rows that one statement inserts: nobody has their turn while it is written. */
const ROWS_AT_ONCE = 250;
/** Entries that one statement removes: SQLite nests conditions no deeper than 1,000. */
const ENTRIES_AT_ONCE = 200;

/** Columns that are written by hand. */
export const VALUE_COLUMNS = ['form_id', 'digest', 'submission_id'];
const REMOVAL_COLUMNS = ['id', 'submission_ids', 'digests', 'removed_from'];

/** Reads and writes the index of values, and the batches that it lacks. */
@Injectable()
export class ValueIndexRepository extends TransactionalRepository {
  private readonly batches = this.rowsOf(SubmissionBatch);

  /** Returns how many values one transaction makes or removes the entries of. */
  get valuesAtOnce(): number {
    const { dataSource } = this.source.manager;
    return isEmbedded(dataSource) ? EMBEDDED_VALUES_AT_ONCE : VALUES_AT_ONCE;
  }

  /** Returns how many facets one transaction counts. */
  get facetsAtOnce(): number {
    const { dataSource } = this.source.manager;
    return isEmbedded(dataSource) ? EMBEDDED_FACETS_AT_ONCE : FACETS_AT_ONCE;
  }

  /** Finds the oldest batches with entries to be made or removed. */
  oldestBatches(limit: number): Promise<SubmissionBatch[]> {
    return this.someBatches('COALESCE(OCTET_LENGTH(digests), 1) > 0', LOWEST_UUID, limit);
  }

  /** Finds the oldest batches after `afterId` that have nothing left for the index. */
  enteredBatches(afterId: Buffer, limit: number): Promise<SubmissionBatch[]> {
    return this.someBatches('OCTET_LENGTH(digests) = 0', afterId, limit);
  }

  private async someBatches(condition: string, afterId: Buffer, limit: number, values: Buffer[] = []) {
    const rows = await selectRows<Record<string, unknown>>(
      this.source,
      `SELECT * FROM submission_batches WHERE id > ? AND ${condition} ORDER BY id LIMIT ?`,
      [afterId, ...values, limit],
    );
    return rows.map((row) => entityOf(this.batches, row));
  }

  /** Finds stored batches after `afterId` that may have the digest, in the order of their ids. */
  batchesThatMayHave(digest: Buffer, afterId: Buffer, limit: number): Promise<SubmissionBatch[]> {
    const condition = 'removed_from IS NULL AND (digests IS NULL OR INSTR(digests, ?) > 0)';
    return this.someBatches(condition, afterId, limit, [digest]);
  }

  /** Finds the ids of submissions with an entry for the digest, in this order, within the bound. */
  async idsInOrder(formId: number, digest: Buffer, order: Order, [side, id]: Bound, limit: number): Promise<Buffer[]> {
    const entries = await selectRows<{ submission_id: Buffer }>(
      this.source,
      `SELECT submission_id FROM submission_values WHERE form_id = ? AND digest = ?
          AND submission_id ${side} ? ORDER BY submission_id ${order} LIMIT ?`,
      [formId, digest, id, limit],
    );
    return entries.map((entry) => entry.submission_id);
  }

  submissions(ids: Buffer[]): Promise<Submission[]> {
    return selectEntities(this.source, Submission, { id: ids });
  }

  /** Adds a batch of submissions that were removed and still have entries. */
  async addRemoval(formId: number, removed: readonly DigestedEntry[]) {
    const ids = Buffer.concat(removed.map(({ id }) => id));
    const digests = SubmissionBatch.pack(removed.map((entry) => entry.digests));
    await runStatements(
      this.source.manager,
      insertStatement('submission_batches', REMOVAL_COLUMNS, [[makeUuid(), ids, digests, formId]]),
    );
  }

  /** @returns how many of the batches were still there */
  removeBatches(ids: Buffer[]) {
    return this.removeSome(ids, '');
  }

  /** Removes any of these batches that still have entries to be made or removed. @returns how many */
  takeBatches(ids: Buffer[]) {
    return this.removeSome(ids, 'AND COALESCE(OCTET_LENGTH(digests), 1) > 0');
  }

  private removeSome(ids: Buffer[], condition: string) {
    const sql = `DELETE FROM submission_batches WHERE id IN (${placeholders(ids)}) ${condition}`;
    return changeRows(this.source.manager, sql, ids);
  }

  /**
   * Leaves these entries in a batch. Its digests only ever become fewer: their length tells whether
   * another instance was faster.
   * @returns whether none was
   */
  async replaceEntries(batch: SubmissionBatch, entries: DigestedEntry[]) {
    const { affected } = await this.batches
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
    return affected === 1;
  }

  /**
   * Makes the entries of submissions. Those are locked by this transaction, so that one which is being removed leaves no
   * entry behind; entries of one that was edited meanwhile may be there. Rows are written into the statement as they are:
   * there are many, and digests are hexadecimal.
   */
  async insert(entries: readonly (DigestedEntry & { formId: number })[]) {
    const rows = entries.flatMap(({ formId, id, digests }) => {
      const hex = id.toString('hex');
      return digests.map((digest) => `(${formId},X'${digest}',X'${hex}')`);
    });
    const known = onConflictSql(this.source.manager.dataSource, VALUE_COLUMNS);
    for (const few of inSlices(rows, ROWS_AT_ONCE)) {
      const some = few.join(',');
      await this.source.manager.query(
        `INSERT INTO submission_values (${VALUE_COLUMNS.join(',')}) VALUES ${some} ${known}`,
      );
    }
  }

  async remove(formId: number, entries: DigestedEntry[]) {
    const rows = entries.flatMap((entry) => rowsOf(formId, entry));
    for (const some of inSlices(rows, ENTRIES_AT_ONCE)) {
      const any = some.map(() => '(form_id = ? AND digest = ? AND submission_id = ?)').join(' OR ');
      await this.source.manager.query(`DELETE FROM submission_values WHERE ${any}`, some.flat());
    }
  }
}

/** Returns the rows of a submission in the index, one for each distinct value. */
function rowsOf(formId: number, { id, digests }: DigestedEntry): unknown[][] {
  return digests.map((digest) => [formId, Buffer.from(digest, 'hex'), id]);
}

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
    for await (const ids of this.waiting(made)) waiting.push(...ids.filter((id) => isWithin(id, bound)));
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

  /** Enqueues the removal of these submissions' entries. Runs in the transaction that removes the submissions. */
  async forget(tx: EntityManager, { formId, values }: Erased) {
    if (formId !== null) await this.index.in(tx).addRemoval(formId, values);
  }

  /** Changes the entries of a submission whose values are changed, in the same transaction. */
  async editValues(tx: EntityManager, { formId, id, gone, come }: Edited) {
    const index = this.index.in(tx);
    await index.insert([{ formId, id, digests: come }]);
    // Later, since those that go may wait to be made.
    if (gone.length > 0) await index.addRemoval(formId, [{ id, digests: gone }]);
  }

  /** Reads batches first: a batch that is indexed meanwhile is then found twice rather than never. */
  private async *candidates(formId: number, made: string): AsyncGenerator<Buffer[]> {
    yield* this.waiting(made);
    const digest = Buffer.from(made, 'hex');
    for (let from: Bound = ['>', LOWEST_UUID]; ;) {
      const ids = await this.index.idsInOrder(formId, digest, 'ASC', from, ENTRY_PIECE_ROWS);
      const last = ids.at(-1);
      if (!last) return;
      yield ids;
      from = beyond(last, 'ASC');
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
export function longer(rows: number, max: number) {
  return Math.min(Math.ceil(rows * PIECE_GROWTH), max);
}
