import { Injectable } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
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
 * Submissions whose values one statement searches: with all of a large form, a server gives up, and
 * the embedded database lets nobody else get a turn.
 */
const SEARCHED_AT_ONCE = 5_000;
const LAST_ID = Buffer.alloc(16, 0xff);

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
      // Servers send a count as text.
      if (row) yield { ...row, there: Number(String(row.there)) };
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
    if (before) return this.older(formId, filter, before, perPage);
    if (after) ids = await this.ids(formId, filter, 'ASC', perPage, 0, ['id > ?', after]);
    else if (left <= 0) return [];
    else if (offset > total / 2) {
      ids = await this.ids(formId, filter, 'ASC', left, total - offset - left);
    } else ids = await this.ids(formId, filter, 'DESC', perPage, offset);
    return this.findAmong(formId, ids);
  }

  /** The newest of what the filter means and is older than an id. */
  async older(
    formId: number,
    filter: SubmissionFilter,
    before: Buffer,
    limit: number,
  ): Promise<Submission[]> {
    if (filter.query === null) {
      const ids = await this.ids(formId, filter, 'DESC', limit, 0, ['id < ?', before]);
      return this.findAmong(formId, ids);
    }
    const found: Buffer[] = [];
    for await (const some of this.matches(formId, filter, before)) {
      found.push(...some);
      if (found.length >= limit) break;
    }
    return this.findAmong(formId, found.slice(0, limit));
  }

  /** One page of what a query finds, and how much it finds in all, in one pass. */
  async search(
    formId: number,
    filter: SubmissionFilter,
    { page, perPage, before, after }: Window,
  ): Promise<{ found: Submission[]; total: number }> {
    const offset = (before ?? after) ? 0 : (page - 1) * perPage;
    let total = 0;
    let passed = 0;
    let ids: Buffer[] = [];
    for await (const some of this.matches(formId, filter, LAST_ID)) {
      total += some.length;
      if (after) {
        ids = [...ids, ...some.filter((id) => id.compare(after) > 0)].slice(-perPage);
        continue;
      }
      const within = before ? some.filter((id) => id.compare(before) < 0) : some;
      const skipped = Math.max(offset - passed, 0);
      ids.push(...within.slice(skipped, skipped + perPage - ids.length));
      passed += within.length;
    }
    return { found: await this.findAmong(formId, ids), total };
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
   * Ids in the order of time. Each folder is in that order in its index, so the first of several
   * folders are found by merging the first of each; an offset into several goes by another index.
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

  /** Ids of what a query finds below an id, newest first, in pieces. */
  private async *matches(
    formId: number,
    filter: SubmissionFilter,
    before: Buffer,
  ): AsyncGenerator<Buffer[]> {
    const all = { ...filter, query: null };
    const { sql, parameters } = conditionOf(formId, filter, foldersOf(filter));
    let below = before;
    for (;;) {
      const looked = await this.ids(formId, all, 'DESC', SEARCHED_AT_ONCE, 0, ['id < ?', below]);
      const oldest = looked.at(-1);
      if (!oldest) return;
      const piece = {
        sql: `${sql} AND id >= ? AND id < ?`,
        parameters: [...parameters, oldest, below],
      };
      yield await this.select(piece, 'DESC', SEARCHED_AT_ONCE, 0);
      below = oldest;
      await nextTurn();
    }
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
