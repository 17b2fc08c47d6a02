import { Injectable } from '@nestjs/common';
import {
  TransactionalRepository,
  placeholders,
  selectRows,
  onConflictSql,
  forUpdateSql,
} from '../../platform/database/index.js';
import { keyOf, inPieces, BY_FOLDER, tightest, type Bound, type Order } from '../../submissions/rows/submission-ids.js';
import { LOWEST_UUID, inSlices } from '../../platform/index.js';
import { Submission } from '../../submissions/model/submission.entity.js';
import { TextProgress } from './submission-text.entity.js';
import { SubmissionBatch } from '../../submissions/storage/submission-batch.entity.js';

/** Names of files, by the ids of their submissions as `keyOf` writes them; nothing for one without files. */
export type FileNames = ReadonlyMap<string, readonly string[]>;

/** The only row of the progress. */
const PROGRESS = 1;
/** Submissions whose texts one statement reads or writes, and bytes of their values. */
const ROWS_AT_ONCE = 100;
const BYTES_AT_ONCE = 1024 * 1024;
/** Values of so many bytes are read with their rows; ROWS_AT_ONCE of them are no more than BYTES_AT_ONCE. */
const SHORT_BYTES = BYTES_AT_ONCE / 128;

/** Columns that are written by hand. */
const TEXT_COLUMNS = ['form_id', 'id', 'text'];

/** A submission with its values, as they are stored. */
export type StoredPayload = Pick<Submission, 'id' | 'formId' | 'payload'>;

/** Reads and writes the texts of submissions, and how far they are moved. */
@Injectable()
export class SubmissionTextsRepository extends TransactionalRepository {
  /** Returns the id below which each submission has its text here. */
  async movedBelow(): Promise<Buffer> {
    const rows = this.source.manager.getRepository(TextProgress);
    return (await rows.findOneBy({ id: PROGRESS }))?.movedBelow ?? LOWEST_UUID;
  }

  /** Says how far the texts are moved; back as well. @returns false when another instance did so meanwhile */
  async advance(from: Buffer, to: Buffer) {
    const { manager } = this.source;
    await this.insertNew('text_progress', ['id', 'moved_below'], ['id'], [[PROGRESS, LOWEST_UUID]]);
    const { affected } = await manager
      .getRepository(TextProgress)
      .update({ id: PROGRESS, movedBelow: from }, { movedBelow: to });
    return affected === 1;
  }

  /** Finds submissions from an id on until before another, in their order, and whether each has its text here. */
  async between(from: Buffer, to: Buffer, limit: number): Promise<{ id: Buffer; hasText: boolean }[]> {
    const rows = await this.source.manager.query<{ id: Buffer; text_id: Buffer | null }[]>(
      `SELECT submissions.id AS id, submission_texts.id AS text_id FROM submissions
        LEFT JOIN submission_texts ON submission_texts.form_id = submissions.form_id
          AND submission_texts.id = submissions.id
        WHERE submissions.id >= ? AND submissions.id < ? ORDER BY submissions.id LIMIT ?`,
      [from, to, limit],
    );
    return rows.map(({ id, text_id }) => ({ id, hasText: text_id !== null }));
  }

  /**
   * Reads submissions that are still there, some at a time. They are locked until the transaction ends, so that one
   * which is being removed leaves no text behind.
   */
  async *lock(ids: readonly Buffer[]): AsyncGenerator<StoredPayload[]> {
    for (const some of inSlices(ids, ROWS_AT_ONCE)) {
      const found = await this.lockSome(
        'OCTET_LENGTH(payload) AS bytes, CASE WHEN OCTET_LENGTH(payload) <= ? THEN payload END AS payload',
        [SHORT_BYTES],
        some,
      );
      const long = found.filter(({ payload }) => payload === null);
      yield found.filter(isRead);
      const sizes = new Map(long.map(({ id, bytes }) => [keyOf(id), Number(bytes)]));
      for (const piece of inPieces(
        long.map(({ id }) => id),
        sizes,
        BYTES_AT_ONCE,
      )) {
        yield (await this.lockSome('payload', [], piece)).filter(isRead);
      }
    }
  }

  /** Inserts texts; those that are here already stay. */
  insert(rows: readonly (readonly [formId: number, id: Buffer, text: Buffer | null])[]) {
    return this.insertNew('submission_texts', TEXT_COLUMNS, ['form_id', 'id'], rows);
  }

  /** Keeps of a text only that its submission is there. */
  async empty(formId: number, id: Buffer) {
    await this.source.manager.query('UPDATE submission_texts SET text = NULL WHERE form_id = ? AND id = ?', [
      formId,
      id,
    ]);
  }

  async remove(formId: number, ids: readonly Buffer[]) {
    if (ids.length === 0) return;
    await this.source.manager.query(`DELETE FROM submission_texts WHERE form_id = ? AND id IN (${placeholders(ids)})`, [
      formId,
      ...ids,
    ]);
  }

  /** Reads texts of a form after an id and up to another, in their order. */
  async read(
    formId: number,
    after: Buffer,
    upTo: Buffer,
    limit: number,
  ): Promise<{ id: Buffer; text: Buffer | null }[]> {
    return this.source.manager.query(
      `SELECT id, text FROM submission_texts WHERE form_id = ? AND id > ? AND id <= ?
        ORDER BY id LIMIT ?`,
      [formId, after, upTo, limit],
    );
  }

  /**
   * Counts texts of a form after an id and up to another, and how many of them are kept. It waits for transactions that
   * change some of them.
   */
  async count(formId: number, after: Buffer, upTo: Buffer): Promise<{ all: number; kept: number }> {
    const { manager } = this.source;
    const [row] = await manager.query<Record<'n' | 'kept', number | string>[]>(
      `SELECT COUNT(*) AS n, COUNT(text) AS kept FROM \`submission_texts\`
        WHERE form_id = ? AND id > ? AND id <= ?${forUpdateSql(manager.dataSource)}`,
      [formId, after, upTo],
    );
    return { all: Number(row?.n ?? 0), kept: Number(row?.kept ?? 0) };
  }

  /** Finds texts of a form, whether their submissions are there or not. */
  async idsOf(formId: number, limit: number): Promise<Buffer[]> {
    const rows = await this.source.manager.query<{ id: Buffer }[]>(
      'SELECT id FROM submission_texts WHERE form_id = ? ORDER BY id LIMIT ?',
      [formId, limit],
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Finds the last of as many submissions of each form in this order, whatever their folder; forms with fewer are left
   * out. The index of times is read, which is much smaller than the texts.
   */
  async lastOfEach(
    rows: number,
    formIds: readonly number[],
    order: Order,
    bounds: readonly Bound[],
  ): Promise<Map<number, Buffer>> {
    const narrow = tightest(bounds);
    const within = narrow.map(([side]) => `AND id ${side} ?`).join(' ');
    const position = narrow.map(([, id]) => id);
    const parts = formIds.map(
      (_, index) => `SELECT form_id, id FROM (SELECT form_id, id FROM submissions ${BY_FOLDER}
        WHERE form_id = ? ${within} ORDER BY id ${order} LIMIT 1 OFFSET ?) AS f${index}`,
    );
    const found = await this.source.manager.query<{ form_id: number; id: Buffer }[]>(
      parts.join(' UNION ALL '),
      formIds.flatMap((formId) => [formId, ...position, rows - 1]),
    );
    return new Map(found.map(({ form_id, id }) => [form_id, id]));
  }

  private lockSome(columns: string, values: number[], ids: readonly Buffer[]) {
    const { manager } = this.source;
    return manager.query<LockedRow[]>(
      `SELECT id, form_id AS formId, ${columns} FROM \`submissions\`
        WHERE id IN (${placeholders(ids)})${forUpdateSql(manager.dataSource)}`,
      [...values, ...ids],
    );
  }

  /** Inserts the rows whose keys are not known yet. */
  private async insertNew(
    table: string,
    columns: readonly string[],
    key: readonly string[],
    rows: readonly (readonly unknown[])[],
  ) {
    if (rows.length === 0) return;
    const { manager } = this.source;
    const known = onConflictSql(manager.dataSource, key);
    const values = rows.map((row) => `(${placeholders(row)})`).join(',');
    const sql = `INSERT INTO ${table} (${columns.join(',')}) VALUES ${values} ${known}`;
    await manager.query(sql, rows.flat());
  }

  /** Reads the names of the files of some submissions, in their order. */
  async of(submissions: readonly { id: Buffer }[]): Promise<FileNames> {
    const found = new Map<string, string[]>();
    if (submissions.length === 0 || !(await this.isAnyAmong(submissions))) return found;
    const rows = await selectRows<{ submission: Buffer; name: string }>(
      this.source,
      `SELECT submission_id AS submission, name FROM files
        WHERE submission_id IN (${placeholders(submissions)}) ORDER BY submission_id, position`,
      submissions.map(({ id }) => id),
    );
    for (const { submission, name } of rows) {
      const known = found.get(keyOf(submission));
      if (known) known.push(name);
      else found.set(keyOf(submission), [name]);
    }
    return found;
  }

  /** Tells whether any submission between the first and the last of these has files, which most have not. */
  private async isAnyAmong(submissions: readonly { id: Buffer }[]) {
    const ids = submissions.map(({ id }) => id).sort((one, other) => Buffer.compare(one, other));
    const rows = await selectRows(this.source, 'SELECT 1 FROM files WHERE submission_id BETWEEN ? AND ? LIMIT 1', [
      ids[0],
      ids.at(-1),
    ]);
    return rows.length > 0;
  }

  /** Returns the submissions of each batch whose texts may not be made yet; null when there are many batches. */
  async batches(): Promise<Buffer[][] | null> {
    const batches = await this.source.manager.query<{ ids: Buffer }[]>(
      `SELECT submission_ids AS ids FROM submission_batches
        WHERE removed_from IS NULL AND COALESCE(OCTET_LENGTH(digests), 1) > 0 LIMIT ?`,
      [BATCHES_MAX + 1],
    );
    if (batches.length > BATCHES_MAX) return null;
    return batches.map(({ ids }) => SubmissionBatch.unpackIds(ids));
  }

  /** Returns which of these submissions exist, by their forms. */
  async byForm(ids: readonly Buffer[]): Promise<Map<number, Buffer[]>> {
    const found = new Map<number, Buffer[]>();
    for (const some of inSlices(ids, IDS_AT_ONCE)) {
      const rows = await this.source.manager.query<{ id: Buffer; form_id: number }[]>(
        `SELECT id, form_id FROM submissions WHERE id IN (${placeholders(some)})`,
        some,
      );
      for (const { id, form_id } of rows) {
        const known = found.get(form_id);
        if (known) known.push(id);
        else found.set(form_id, [id]);
      }
    }
    return found;
  }
}

/** A submission whose values may not be read yet. */
type LockedRow = Pick<Submission, 'id' | 'formId'> & { payload: string | null; bytes?: number | string };

function isRead(row: LockedRow): row is LockedRow & StoredPayload {
  return row.payload !== null;
}

/** Batches that are looked through for submissions without texts. */
const BATCHES_MAX = 1_000;
/** Submissions whose forms one statement finds. */
const IDS_AT_ONCE = 500;
