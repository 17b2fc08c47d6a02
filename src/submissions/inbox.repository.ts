import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { ReadManager } from '../platform/database/read-manager.js';
import {
  foldersOf,
  type Condition,
  type Folder,
  type SubmissionFilter,
} from './submission-filter.js';
import { boundsOf, BY_FOLDER, tightest, type Bound, type Order } from './submission-ids.js';
import { loadInOrder } from './load-in-order.repository.js';
import { Submission } from './submission.entity.js';

/** Parts of one statement, one for each form and folder: SQLite takes at most 500. */
const PARTS_AT_ONCE = 400;
/** Ids that one statement looks up. */
const IDS_AT_ONCE = 100;

/** Which form and folder a submission is in. */
export type SubmissionState = Pick<Submission, 'id' | 'formId' | 'spam' | 'trash' | 'done'>;

/** Finds the newest submissions of many forms. */
@Injectable()
export class InboxRepository {
  constructor(private readonly source: ReadManager) {}

  /**
   * Returns the ids of the first submissions of these forms in this order. Each form is asked for its own by
   * its index, so that it costs the same however many there are.
   * @param filter its folders and times; the rest is not looked at
   */
  async inOrder(
    formIds: number[],
    filter: SubmissionFilter,
    order: Order,
    bound: Bound,
    limit: number,
  ): Promise<Buffer[]> {
    const bounds = [bound, ...boundsOf(filter)];
    const found = await this.idsOfEach(formIds, foldersOf(filter), order, bounds, limit);
    return found.sort((a, b) => (order === 'ASC' ? a.compare(b) : b.compare(a))).slice(0, limit);
  }

  /**
   * Counts the submissions of these forms, up to `max`.
   * @param filter its folders and times; the rest is not looked at
   */
  async countUpTo(formIds: number[], filter: SubmissionFilter, max: number): Promise<number> {
    let count = 0;
    for (const { sql, parameters } of partsOf(
      formIds,
      foldersOf(filter),
      'DESC',
      boundsOf(filter),
      max,
    )) {
      if (count >= max) break;
      const [row] = await this.source.manager.query<{ n: number | string }[]>(
        `SELECT COUNT(*) AS n FROM (${sql} LIMIT ?) AS counted`,
        [...parameters, max - count],
      );
      count += Number(row?.n);
    }
    return count;
  }

  /** Returns the first id of each form in this order that its folders and times have within bounds. */
  async firstOfEach(
    formIds: readonly number[],
    filter: SubmissionFilter,
    order: Order,
    ...within: Bound[]
  ): Promise<Map<number, Buffer>> {
    const first = new Map<number, Buffer>();
    const bounds = [...within, ...boundsOf(filter)];
    for (const { sql, parameters } of partsOf(formIds, foldersOf(filter), order, bounds, 1)) {
      const rows = await this.source.manager.query<{ form_id: number; id: Buffer }[]>(
        sql,
        parameters,
      );
      for (const { form_id, id } of rows) {
        const known = first.get(form_id);
        const isFirst = !known || (order === 'ASC' ? id.compare(known) < 0 : id.compare(known) > 0);
        if (isFirst) first.set(form_id, id);
      }
    }
    return first;
  }

  /** Returns the id of the newest submission of each form and folder that has one. */
  async latestOfEach(
    formIds: number[],
    folders: Folder[],
  ): Promise<[formId: number, id: Buffer][]> {
    const ids = await this.idsOfEach(formIds, folders, 'DESC', [], 1);
    const found: [number, Buffer][] = [];
    for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
      const rows = await this.source.manager.getRepository(Submission).find({
        select: { id: true, formId: true },
        where: { id: In(ids.slice(from, from + IDS_AT_ONCE)) },
      });
      found.push(...rows.map(({ formId, id }): [number, Buffer] => [formId, id]));
    }
    return found;
  }

  /** Reads the form and the folder of each of these submissions, in the order of the ids, without values. */
  async states(ids: readonly Buffer[]): Promise<SubmissionState[]> {
    const found = await this.source.manager.getRepository(Submission).find({
      select: { id: true, formId: true, spam: true, trash: true, done: true },
      where: { id: In([...ids]) },
    });
    return ids.flatMap((id) => found.find((each) => each.id.equals(id)) ?? []);
  }

  /** Reads submissions, as `loadInOrder` does. */
  load(ids: Buffer[]): AsyncGenerator<Submission[]> {
    return loadInOrder(this.source.manager, ids);
  }

  private async idsOfEach(
    formIds: number[],
    folders: Folder[],
    order: Order,
    bounds: readonly Bound[],
    limit: number,
  ): Promise<Buffer[]> {
    const found: Buffer[] = [];
    for (const { sql, parameters } of partsOf(formIds, folders, order, bounds, limit)) {
      const rows = await this.source.manager.query<{ id: Buffer }[]>(sql, parameters);
      found.push(...rows.map(({ id }) => id));
    }
    return found;
  }
}

/** Yields statements for the first ids of each form and folder, as few as PARTS_AT_ONCE allows. */
function* partsOf(
  formIds: readonly number[],
  folders: readonly Folder[],
  order: Order,
  bounds: readonly Bound[],
  limit: number,
): Generator<Condition> {
  const narrow = tightest(bounds);
  const all = formIds.flatMap((id) => folders.map((folder) => ({ id, ...folder })));
  const within = narrow.map(([side]) => `AND id ${side} ? `).join('');
  for (let from = 0; from < all.length; from += PARTS_AT_ONCE) {
    const wanted = all.slice(from, from + PARTS_AT_ONCE);
    const parts = wanted.map(
      (_, index) =>
        `SELECT form_id, id FROM (SELECT form_id, id FROM submissions ${BY_FOLDER} WHERE form_id = ? AND trash = ? AND spam = ? AND done = ? ${within}ORDER BY id ${order} LIMIT ?) AS f${index}`,
    );
    const parameters = wanted.flatMap(({ id, trash, spam, done }) => {
      const position = narrow.map(([, bound]) => bound);
      return [id, Number(trash), Number(spam), Number(done), ...position, limit];
    });
    yield { sql: parts.join(' UNION ALL '), parameters };
  }
}
