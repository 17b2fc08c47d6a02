import { Injectable } from '@nestjs/common';
import { In, LessThan } from 'typeorm';
import {
  onConflictSql,
  forUpdateSql,
  selectRows,
  placeholders,
  sqlDate,
  TransactionalRepository,
} from '../../platform/database/index.js';
import { BY_FOLDER } from '../rows/submission-ids.js';
import { TrashedSubmission } from './trashed-submission.entity.js';
import { inSlices } from '../../platform/index.js';

/** Rows of one statement, each of three values. */
const ROWS_AT_ONCE = 300;

/** Submissions in the trash that have the same marks. */
export interface TrashFolder {
  spam: boolean;
  done: boolean;
}

/** Keeps since when submissions are in the trash. */
@Injectable()
export class TrashRepository extends TransactionalRepository {
  private readonly trashed = this.rowsOf(TrashedSubmission);

  /** Returns since when a submission is in the trash; null where that is not known. */
  async since(submissionId: Buffer): Promise<Date | null> {
    return (await this.trashed.findOneBy({ submissionId }))?.trashedAt ?? null;
  }

  /** Keeps that submissions are in the trash from then on; of those that are known, the time stays. */
  async insert(formId: number, ids: readonly Buffer[], at: Date) {
    const known = onConflictSql(this.source.manager.dataSource, ['submission_id']);
    for (const some of inSlices(ids, ROWS_AT_ONCE)) {
      const rows = some.map((id) => [id, formId, sqlDate(at)]);
      await this.source.manager.query(
        `INSERT INTO trashed_submissions (submission_id, form_id, trashed_at)
          VALUES ${rows.map((row) => `(${placeholders(row)})`).join(',')} ${known}`,
        rows.flat(),
      );
    }
  }

  async remove(ids: readonly Buffer[]) {
    await this.trashed.delete({ submissionId: In([...ids]) });
  }

  /** Removes what is kept from before a time: these submissions are erased, or were restored by a version that kept no times. */
  async removeBefore(time: Date, ids: readonly Buffer[]) {
    await this.trashed.delete({ submissionId: In([...ids]), trashedAt: LessThan(time) });
  }

  /** Returns the ids of all forms. */
  async formIds(): Promise<number[]> {
    const forms = 'SELECT id FROM forms WHERE deleted_at IS NULL';
    return (await selectRows<{ id: number }>(this.source, forms)).map(({ id }) => id);
  }

  /** Finds submissions in the trash of a form after an id, oldest first, and whether it is kept since when they are. */
  async after(
    formId: number,
    { spam, done }: TrashFolder,
    id: Buffer,
    limit: number,
  ): Promise<{ id: Buffer; isKept: boolean }[]> {
    const rows = await selectRows<{ id: Buffer; kept: Buffer | null }>(
      this.source,
      `SELECT submissions.id AS id, trashed_submissions.submission_id AS kept
        FROM submissions ${BY_FOLDER} LEFT JOIN trashed_submissions
          ON trashed_submissions.submission_id = submissions.id
        WHERE submissions.form_id = ? AND trash = 1 AND spam = ? AND done = ? AND submissions.id > ?
        ORDER BY submissions.id LIMIT ?`,
      [formId, Number(spam), Number(done), id, limit],
    );
    return rows.map((row) => ({ id: row.id, isKept: row.kept !== null }));
  }

  /** Finds what went to the trash before a time, longest ago first. */
  before(time: Date, limit: number): Promise<TrashedSubmission[]> {
    return this.trashed.find({ where: { trashedAt: LessThan(time) }, order: { trashedAt: 'ASC' }, take: limit });
  }

  /** Returns which of these submissions in the trash got there before a time, and locks them. */
  async lockBefore(time: Date, ids: readonly Buffer[]): Promise<Buffer[]> {
    const rows = await selectRows<{ id: Buffer }>(
      this.source,
      `SELECT submissions.id AS id FROM \`submissions\`
        JOIN trashed_submissions ON trashed_submissions.submission_id = submissions.id
        WHERE submissions.id IN (${placeholders(ids)}) AND trash = 1 AND trashed_at < ?` +
        forUpdateSql(this.source.manager.dataSource),
      [...ids, sqlDate(time)],
    );
    return rows.map(({ id }) => id);
  }
}
