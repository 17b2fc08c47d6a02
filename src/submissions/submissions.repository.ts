import { Injectable } from '@nestjs/common';
import { In, type EntityManager, type Repository } from 'typeorm';
import { Reads } from '../database/reads.js';
import { holdingRows } from '../database/row-lock.js';
import {
  conditionOf,
  foldersOf,
  type Condition,
  type Folder,
  type SubmissionFilter,
  type Window,
} from './submission-filter.js';
import { Submission } from './submission.entity.js';

type Order = 'ASC' | 'DESC';

/**
 * Read by servers alone: with the primary key to choose from, they begin a page at the end of its
 * folder instead of at its position, and walk through everything between.
 */
const BY_FOLDER = '/*! IGNORE INDEX (PRIMARY) */';

/** What a form counts, and what there is to count. */
export interface FormCount {
  identifier: string;
  counted: number;
  there: number;
}

/** Submissions by intention; every query carries the form. */
@Injectable()
export class SubmissionsRepository {
  constructor(private readonly source: Reads) {}

  in(tx: EntityManager): SubmissionsRepository {
    return new SubmissionsRepository({ manager: tx });
  }

  private get submissions(): Repository<Submission> {
    return this.source.manager.getRepository(Submission);
  }

  /** Whether a transaction that was to store this submission did. */
  isStored(id: Buffer): Promise<boolean> {
    return this.submissions.existsBy({ id });
  }

  find(formId: number, id: Buffer): Promise<Submission | null> {
    return this.submissions.findOneBy({ formId, id });
  }

  /**
   * The submissions of the form among these ids, newest first. Here and below the form is not a part
   * of the condition: SQLite would rather read all of the form's rows than look up each id.
   */
  async findAmong(formId: number, ids: Buffer[]): Promise<Submission[]> {
    if (ids.length === 0) return [];
    const found = await this.submissions.find({ where: { id: In(ids) }, order: { id: 'DESC' } });
    return found.filter((submission) => submission.formId === formId);
  }

  /** The same, held until the transaction ends. */
  async lockAmong(formId: number, ids: Buffer[]): Promise<Submission[]> {
    if (ids.length === 0) return [];
    const query = this.submissions.createQueryBuilder('submission').where({ id: In(ids) });
    const found = await holdingRows(query).getMany();
    return found.filter((submission) => submission.formId === formId);
  }

  /** How many there are in some of the filter's folders. */
  async count(formId: number, filter: SubmissionFilter, folders: Folder[]): Promise<number> {
    let count = 0;
    for (const folder of folders) {
      const { sql, parameters } = conditionOf(formId, filter, [folder]);
      const [row] = await this.source.manager.query<{ n: number | string }[]>(
        `SELECT COUNT(*) AS n FROM submissions WHERE ${sql}`,
        parameters,
      );
      count += Number(row?.n);
    }
    return count;
  }

  /**
   * What a form counts and how many submissions it has that count, read at one moment: each form has
   * a statement of its own, which submissions may go on beside.
   */
  async *counts(): AsyncGenerator<FormCount> {
    const forms = await this.source.manager.query<{ id: number }[]>('SELECT id FROM forms');
    for (const { id } of forms) {
      const [row] = await this.source.manager.query<FormCount[]>(
        `SELECT identifier, submission_count AS counted, (SELECT COUNT(*) FROM submissions
          WHERE form_id = forms.id AND trash = 0 AND spam = 0) AS there FROM forms WHERE id = ?`,
        [id],
      );
      if (row) yield row;
    }
  }

  /**
   * One page, newest first. Beside a known submission it costs the same at any depth; by number, what
   * lies between it and the nearer end is passed over in the index.
   * @param total how many the filter means
   */
  async page(
    formId: number,
    filter: SubmissionFilter,
    { page, perPage, before, after }: Window,
    total: number,
  ): Promise<Submission[]> {
    const offset = (page - 1) * perPage;
    const left = Math.min(perPage, total - offset);
    let ids: Buffer[];
    if (before) ids = await this.ids(formId, filter, 'DESC', perPage, 0, ['id < ?', before]);
    else if (after) ids = await this.ids(formId, filter, 'ASC', perPage, 0, ['id > ?', after]);
    else if (left <= 0) return [];
    else if (offset > total / 2) {
      ids = await this.ids(formId, filter, 'ASC', left, total - offset - left);
    } else ids = await this.ids(formId, filter, 'DESC', perPage, offset);
    return this.findAmong(formId, ids);
  }

  /** Ids of the oldest submissions that the filter means. */
  oldest(formId: number, filter: SubmissionFilter, limit: number): Promise<Buffer[]> {
    return this.ids(formId, filter, 'ASC', limit, 0);
  }

  async save({ id, spam, trash, spamReason }: Submission): Promise<void> {
    await this.submissions.update({ id }, { spam, trash, spamReason });
  }

  async remove(ids: Buffer[]): Promise<void> {
    if (ids.length > 0) await this.submissions.delete({ id: In(ids) });
  }

  /**
   * Ids in the order of time. Each folder is in that order in the index, so the first of several
   * folders are found by merging the first of each; only an offset into several has to sort.
   */
  private async ids(
    formId: number,
    filter: SubmissionFilter,
    order: Order,
    limit: number,
    offset: number,
    bound?: [string, Buffer],
  ): Promise<Buffer[]> {
    const folders = foldersOf(filter);
    const groups: Folder[][] = offset === 0 ? folders.map((folder) => [folder]) : [folders];
    const found: Buffer[] = [];
    for (const group of groups) {
      const condition = conditionOf(formId, filter, group);
      if (bound) {
        condition.sql += ` AND ${bound[0]}`;
        condition.parameters.push(bound[1]);
      }
      found.push(...(await this.select(condition, order, limit, offset)));
    }
    const sign = order === 'ASC' ? 1 : -1;
    return found.sort((a, b) => sign * a.compare(b)).slice(0, limit);
  }

  private async select(
    { sql, parameters }: Condition,
    order: Order,
    limit: number,
    offset: number,
  ): Promise<Buffer[]> {
    const rows = await this.source.manager.query<{ id: Buffer }[]>(
      `SELECT id FROM submissions ${BY_FOLDER} WHERE ${sql} ORDER BY id ${order} LIMIT ? OFFSET ?`,
      [...parameters, limit, offset],
    );
    return rows.map(({ id }) => id);
  }
}
