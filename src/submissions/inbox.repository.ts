import { Injectable } from '@nestjs/common';
import { ReadManager } from '../platform/database/read-manager.js';
import { selectRows } from '../platform/database/select-rows.js';
import {
  foldersOf,
  type Condition,
  type Folder,
  type SubmissionFilter,
} from './submission-filter.js';
import {
  boundsOf,
  BY_FOLDER,
  inOrderOf,
  tightest,
  type Bound,
  type Order,
} from './submission-ids.js';
import { placeholders } from '../platform/database/statement.js';
import { keyOf } from './byte-pieces.js';
import { loadInOrder } from './load-in-order.repository.js';
import { Submission } from './submission.entity.js';

/** Parts of one statement, one for each form and folder: SQLite takes at most 500. */
const PARTS_AT_ONCE = 400;
/** Forms whose first submissions are asked for together at first, and then twice as many: a page has mostly those of a few. */
const FORMS_OF_FIRST_PIECE = 8;

/** Which form and folder a submission is in. */
export type SubmissionState = Pick<Submission, 'id' | 'formId' | 'spam' | 'trash' | 'done'>;

/** Finds the newest submissions of many forms. */
@Injectable()
export class InboxRepository {
  constructor(private readonly source: ReadManager) {}

  /**
   * Returns the ids of the first submissions of these forms in this order. Each form is asked for its first one, and
   * then those whose first ones come first are asked for more, some at a time, until no other form can have any.
   * @param filter its folders and times; the rest is not looked at
   */
  async inOrder(
    formIds: readonly number[],
    filter: SubmissionFilter,
    order: Order,
    bound: Bound,
    limit: number,
  ): Promise<Buffer[]> {
    const compare = inOrderOf(order);
    const first = [...(await this.firstOfEach(formIds, filter, order, bound))];
    first.sort(([, a], [, b]) => compare(a, b));
    const bounds = [bound, ...boundsOf(filter)];
    let found: Buffer[] = [];
    let forms = FORMS_OF_FIRST_PIECE;
    for (let at = 0; at < first.length; at += forms, forms *= 2) {
      const last = found[limit - 1];
      const some = first.slice(at, at + forms);
      if (last && some[0] && compare(last, some[0][1]) < 0) break;
      const within: Bound[] = last ? [...bounds, [order === 'ASC' ? '<' : '>', last]] : bounds;
      const ids = some.map(([formId]) => formId);
      const more = await this.idsOfEach(ids, foldersOf(filter), order, within, limit);
      found = [...found, ...more].sort(compare).slice(0, limit);
    }
    return found;
  }

  /**
   * Counts the submissions of these forms, up to `max`. The first form is asked alone: servers copy what they count of
   * several.
   * @param formIds largest first
   * @param filter its folders and times; the rest is not looked at
   */
  async countUpTo(
    formIds: readonly number[],
    filter: SubmissionFilter,
    max: number,
  ): Promise<number> {
    let count = 0;
    for (const some of [formIds.slice(0, 1), formIds.slice(1)]) {
      const parts = partsOf(some, foldersOf(filter), 'DESC', boundsOf(filter), max);
      for (const { sql, parameters } of parts) {
        if (count >= max) return count;
        const [row] = await selectRows<{ n: number | string }>(
          this.source,
          `SELECT COUNT(*) AS n FROM (${sql} LIMIT ?) AS counted`,
          [...parameters, max - count],
        );
        count += Number(row?.n);
      }
    }
    return count;
  }

  /** Returns the first id of each form in this order that its folders and times have; without forms that have none. */
  async firstOfEach(
    formIds: readonly number[],
    filter: Pick<SubmissionFilter, keyof Folder | 'from' | 'to'>,
    order: Order,
    ...bounds: Bound[]
  ): Promise<Map<number, Buffer>> {
    const first = new Map<number, Buffer>();
    const within = [...bounds, ...boundsOf(filter)];
    const compare = inOrderOf(order);
    for (const { sql, parameters } of partsOf(formIds, foldersOf(filter), order, within, 1)) {
      const rows = await selectRows<{ form_id: number; id: Buffer }>(this.source, sql, parameters);
      for (const { form_id: formId, id } of rows) {
        const known = first.get(formId);
        if (!known || compare(id, known) < 0) first.set(formId, id);
      }
    }
    return first;
  }

  /** Reads the form and the folder of each of these submissions, in the order of the ids, without values. */
  async states(ids: readonly Buffer[]): Promise<SubmissionState[]> {
    if (ids.length === 0) return [];
    const rows = await selectRows<Pick<Submission, 'id' | 'formId'> & Record<keyof Folder, number>>(
      this.source,
      `SELECT id, form_id AS formId, spam, trash, done FROM submissions WHERE id IN (${placeholders(ids)})`,
      ids,
    );
    const byId = new Map(rows.map((row) => [keyOf(row.id), row]));
    return ids.flatMap((id) => {
      const row = byId.get(keyOf(id));
      if (!row) return [];
      return [{ ...row, spam: row.spam === 1, trash: row.trash === 1, done: row.done === 1 }];
    });
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
      const rows = await selectRows<{ id: Buffer }>(this.source, sql, parameters);
      found.push(...rows.map(({ id }) => id));
    }
    return found;
  }
}

/**
 * Yields statements for the first ids of each form and folder, as few as PARTS_AT_ONCE allows. Each part names its form:
 * for one that they learn only as they go, servers walk from the end of its folder to the bound.
 */
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
    const position = narrow.map(([, bound]) => bound);
    const parameters = wanted.flatMap(({ id, ...folder }) => [
      ...[id, ...marksIn(folder), ...position, limit],
    ]);
    yield { sql: parts.join(' UNION ALL '), parameters };
  }
}

/** Returns a folder as the parameters of a statement. */
function marksIn({ trash, spam, done }: Folder): number[] {
  return [Number(trash), Number(spam), Number(done)];
}
