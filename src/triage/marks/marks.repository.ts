import { Injectable } from '@nestjs/common';
import { And, In, IsNull, Like, Not } from 'typeorm';
import type { Actor } from '../../accounts/access/index.js';
import { TransactionalRepository, selectEntities, selectRows, forUpdate } from '../../platform/database/index.js';
import { BY_FOLDER, type Bound, type Order } from '../../submissions/rows/submission-ids.js';
import { Submission } from '../../submissions/model/submission.entity.js';
import { SubmissionMark } from './submission-mark.entity.js';
import { inSlices } from '../../platform/index.js';

/** Forms that one statement is about. */
const FORMS_AT_ONCE = 100;
const NAME_MAX = 255;

/** Reads and writes the marks of submissions. */
@Injectable()
export class MarksRepository extends TransactionalRepository {
  /**
   * Finds the submissions of the form among these ids, and keeps them from being removed or marked by others
   * until the transaction ends.
   */
  async lock(formId: number, ids: readonly Buffer[]): Promise<Buffer[]> {
    const query = this.manager
      .getRepository(Submission)
      .createQueryBuilder('submission')
      .select('submission.id', 'id')
      .addSelect('submission.formId', 'formId')
      // By id alone: with the form too, SQLite would read all of the form's rows.
      .where({ id: In([...ids]) })
      .orderBy('submission.id');
    const found = await forUpdate(query).getRawMany<Pick<Submission, 'id' | 'formId'>>();
    return found.filter((row) => row.formId === formId).map(({ id }) => id);
  }

  /** @returns those that were not so before */
  async setDone(ids: readonly Buffer[], done: boolean): Promise<Buffer[]> {
    const others = await this.manager
      .getRepository(Submission)
      .createQueryBuilder('submission')
      .select('submission.id', 'id')
      .where({ id: In([...ids]), done: !done })
      .getRawMany<Pick<Submission, 'id'>>();
    const changed = others.map(({ id }) => id);
    if (changed.length > 0) await this.manager.update(Submission, { id: In(changed) }, { done });
    return changed;
  }

  /** Returns the marks of these submissions, by the id as Latin-1. */
  async of(ids: readonly Buffer[]): Promise<Map<string, string[]>> {
    const marks = new Map<string, string[]>();
    const found = await selectEntities(this.source, SubmissionMark, { submissionId: ids });
    found.sort((a, b) => (a.mark < b.mark ? -1 : 1));
    for (const { submissionId, mark } of found) {
      const key = submissionId.toString('latin1');
      marks.set(key, [...(marks.get(key) ?? []), mark]);
    }
    return marks;
  }

  /** Returns the marks of a submission of which is known when they were given, in that order. */
  listGiven(submissionId: Buffer): Promise<SubmissionMark[]> {
    return this.manager.find(SubmissionMark, {
      where: { submissionId, givenAt: Not(IsNull()) },
      order: { givenAt: 'ASC', mark: 'ASC' },
    });
  }

  /** Finds the ids of submissions with a mark, in this order, within the bound. */
  async idsInOrder(formId: number, mark: string, order: Order, [side, id]: Bound, limit: number): Promise<Buffer[]> {
    const rows = await selectRows<{ submission_id: Buffer }>(
      this.source,
      `SELECT submission_id FROM submission_marks ${BY_FOLDER} WHERE form_id = ? AND mark = ?
        AND submission_id ${side} ? ORDER BY submission_id ${order} LIMIT ?`,
      [formId, mark, id, limit],
    );
    return rows.map((row) => row.submission_id);
  }

  /** Gives these submissions, which are locked, a mark. @returns those that did not have it */
  async add(
    formId: number,
    ids: readonly Buffer[],
    mark: string,
    { name }: Pick<Actor, 'name'>,
    givenAt: Date,
  ): Promise<Buffer[]> {
    const known = await this.of(ids);
    const rows = ids
      .filter((id) => !known.get(id.toString('latin1'))?.includes(mark))
      .map((submissionId) => {
        return { submissionId, mark, formId, givenAt, givenBy: name.slice(0, NAME_MAX) };
      });
    if (rows.length > 0) await this.manager.insert(SubmissionMark, rows);
    return rows.map(({ submissionId }) => submissionId);
  }

  /** @returns those that had it */
  async remove(ids: readonly Buffer[], mark: string): Promise<Buffer[]> {
    const known = await this.of(ids);
    const having = ids.filter((id) => known.get(id.toString('latin1'))?.includes(mark));
    if (having.length > 0) {
      await this.manager.delete(SubmissionMark, { submissionId: In(having), mark });
    }
    return having;
  }

  /** Removes all marks that begin so from these submissions, but for one. @returns those that had another */
  async removeOthers(ids: readonly Buffer[], beginning: string, kept: string): Promise<Buffer[]> {
    const submissionId = In([...ids]);
    const marks = await this.manager.findBy(SubmissionMark, {
      submissionId,
      mark: And(Like(`${beginning}%`), Not(kept)),
    });
    for (const { mark } of marks) await this.manager.delete(SubmissionMark, { submissionId, mark });
    return marks.map((each) => each.submissionId);
  }

  /** Removes a mark from all submissions of these forms. */
  async removeFrom(formIds: readonly number[], mark: string) {
    for (const some of inSlices(formIds, FORMS_AT_ONCE)) {
      const formId = In(some);
      await this.manager.delete(SubmissionMark, { formId, mark });
    }
  }

  private get manager() {
    return this.source.manager;
  }
}
