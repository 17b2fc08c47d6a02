import { Injectable } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ReadManager } from '../platform/database/read-manager.js';
import { inPieces } from './byte-pieces.js';
import {
  conditionOf,
  foldersOf,
  type Folder,
  type SubmissionFilter,
  type PagePosition,
} from './submission-filter.js';
import { textSizes } from './text-sizes.repository.js';

type Order = 'ASC' | 'DESC';
/** A side of a position in the order of time. */
type Bound = readonly [sql: 'id < ?' | 'id <= ?' | 'id > ?' | 'id >= ?', id: Buffer];

/** Ids read by one statement. */
const ID_PIECE_ROWS = 250;
/**
 * A search looks up the sizes of so many submissions by one statement, and searches so many bytes by the
 * next. With more, a server reaches its statement timeout, and the embedded database blocks everybody else.
 */
const SEARCH_PIECE_ROWS = 1_000;
const SEARCH_PIECE_BYTES = 4 * 1024 * 1024;
const LAST_ID = Buffer.alloc(16, 0xff);

/**
 * A hint for servers only: with the primary key, they begin a page at the end of its folder instead of at its
 * position, and walk through everything between.
 */
export const BY_FOLDER = '/*! IGNORE INDEX (PRIMARY) */';

/** Ids of a page, newest first, and whether there are submissions before and after it. */
export interface PageOfIds {
  ids: Buffer[];
  newer: boolean;
  older: boolean;
}

/** Finds the ids of submissions in the order of time; every query carries the form. */
@Injectable()
export class SubmissionIds {
  constructor(private readonly source: ReadManager) {}

  /**
   * Finds one page. Beside a known submission it costs the same at any depth; by number, what lies
   * between it and the nearer end is passed over in the index.
   * @param total how many the filter means
   */
  async page(
    formId: number,
    filter: SubmissionFilter,
    { page, perPage, before, after }: PagePosition,
    total: number,
  ): Promise<PageOfIds> {
    if (before) {
      const found = await this.ids(formId, filter, 'DESC', perPage + 1, 0, ['id < ?', before]);
      const ids = found.slice(0, perPage);
      const newer = await this.ids(formId, filter, 'ASC', 1, 0, ['id > ?', ids[0] ?? before]);
      return { ids, newer: newer.length > 0, older: found.length > perPage };
    }
    if (after) {
      const found = await this.ids(formId, filter, 'ASC', perPage + 1, 0, ['id > ?', after]);
      const ids = found.slice(0, perPage).reverse();
      const older = await this.ids(formId, filter, 'DESC', 1, 0, ['id < ?', ids.at(-1) ?? after]);
      return { ids, newer: found.length > perPage, older: older.length > 0 };
    }
    const offset = (page - 1) * perPage;
    const left = Math.min(perPage, total - offset);
    if (left <= 0) return { ids: [], newer: page > 1, older: false };
    if (offset > total / 2) {
      const rest = total - offset - left;
      const ids = await this.ids(formId, filter, 'ASC', left, rest);
      return { ids: ids.reverse(), newer: page > 1, older: rest > 0 };
    }
    const found = await this.ids(formId, filter, 'DESC', perPage + 1, offset);
    return { ids: found.slice(0, perPage), newer: page > 1, older: found.length > perPage };
  }

  /** Finds one page of what a query finds, and how much it finds in all, in one pass. */
  async search(
    formId: number,
    filter: SubmissionFilter,
    { page, perPage, before, after }: PagePosition,
  ): Promise<PageOfIds & { total: number }> {
    const offset = (before ?? after) ? 0 : (page - 1) * perPage;
    let total = 0;
    let newer = 0;
    let ids: Buffer[] = [];
    for await (const some of this.matches(formId, filter, LAST_ID)) {
      total += some.length;
      for (const id of some) {
        if (after) {
          if (id.compare(after) > 0) ids.push(id);
        } else if (before ? id.compare(before) >= 0 : newer < offset) newer++;
        else if (ids.length < perPage) ids.push(id);
      }
      newer += Math.max(ids.length - perPage, 0);
      ids = ids.slice(-perPage);
    }
    return { ids, total, newer: newer > 0, older: total > newer + ids.length };
  }

  /** Finds the id of the newest submission of the form, whatever its folder. */
  async newest(formId: number): Promise<Buffer | null> {
    const [row] = await this.source.manager.query<{ id: Buffer }[]>(
      'SELECT id FROM submissions WHERE form_id = ? ORDER BY id DESC LIMIT 1',
      [formId],
    );
    return row?.id ?? null;
  }

  /** Finds the ids of all that the filter means up to `end`, newest first, some at a time. */
  async *upTo(formId: number, filter: SubmissionFilter, end: Buffer): AsyncGenerator<Buffer[]> {
    if (filter.query !== null) {
      yield* this.matches(formId, filter, end);
      return;
    }
    let bound: Bound = ['id <= ?', end];
    for (;;) {
      const found = await this.ids(formId, filter, 'DESC', ID_PIECE_ROWS, 0, bound);
      const oldest = found.at(-1);
      if (!oldest) return;
      yield found;
      bound = ['id < ?', oldest];
    }
  }

  /** Finds the ids of the oldest submissions that the filter means. */
  oldest(formId: number, filter: SubmissionFilter, limit: number): Promise<Buffer[]> {
    return this.ids(formId, filter, 'ASC', limit, 0);
  }

  /** Finds the ids of what a query finds, newest first, in pieces; others get a turn after each. */
  private async *matches(
    formId: number,
    filter: SubmissionFilter,
    end: Buffer,
  ): AsyncGenerator<Buffer[]> {
    const all = { ...filter, query: null };
    let bound: Bound = ['id <= ?', end];
    for (;;) {
      const looked = await this.ids(formId, all, 'DESC', SEARCH_PIECE_ROWS, 0, bound);
      if (looked.length === 0) return;
      const sizes = await textSizes(this.source.manager, looked, 'search_text');
      for (const piece of inPieces(looked, sizes, SEARCH_PIECE_BYTES)) {
        const oldest = piece.at(-1) ?? end;
        const within: Bound[] = [bound, ['id >= ?', oldest]];
        // Some may have been restored from the trash meanwhile.
        yield await this.ids(formId, filter, 'DESC', 2 * SEARCH_PIECE_ROWS, 0, ...within);
        bound = ['id < ?', oldest];
        await nextTurn();
      }
    }
  }

  /**
   * Finds ids in the order of time. Each folder is in that order in its index, so the first of several
   * folders are among the first of each; an offset into several uses another index. One statement reads all
   * folders: a submission that moves between two of them is then found in one.
   */
  private async ids(
    formId: number,
    filter: SubmissionFilter,
    order: Order,
    limit: number,
    offset: number,
    ...bounds: Bound[]
  ): Promise<Buffer[]> {
    const folders = foldersOf(filter);
    const groups: Folder[][] = offset === 0 ? folders.map((folder) => [folder]) : [folders];
    const selects = groups.map((group) => {
      const { sql, parameters } = conditionOf(formId, filter, group);
      const condition = [sql, ...bounds.map(([side]) => side)].join(' AND ');
      return {
        sql: `SELECT id FROM submissions ${BY_FOLDER} WHERE ${condition} ORDER BY id ${order} LIMIT ? OFFSET ?`,
        parameters: [...parameters, ...bounds.map(([, id]) => id), limit, offset],
      };
    });
    const parameters = selects.flatMap((select) => select.parameters);
    const parts = selects.map(({ sql }, index) => `SELECT id FROM (${sql}) AS folder${index}`);
    const all = `${parts.join(' UNION ALL ')} ORDER BY id ${order} LIMIT ?`;
    const rows = await this.source.manager.query<{ id: Buffer }[]>(
      selects.length === 1 ? (selects[0]?.sql ?? '') : all,
      selects.length === 1 ? parameters : [...parameters, limit],
    );
    return rows.map(({ id }) => id);
  }
}
