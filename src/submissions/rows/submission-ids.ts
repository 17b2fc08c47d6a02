import { Injectable } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';
import { ReadManager, placeholders, selectRows } from '../../platform/database/index.js';
import { DAY_MS, firstUuidAt, makeUuid, timeOf } from '../../platform/index.js';
import {
  conditionOf,
  foldersOf,
  type Condition,
  type Folder,
  type SubmissionFilter,
  type PagePosition,
} from '../filter/submission-filter.js';

/** Returns an id as a key of a map. */
export function keyOf(id: Buffer) {
  return id.toString('latin1');
}

/**
 * Divides ids so that the texts of each piece have at most `maxBytes` together, or are of one id.
 * @param sizes bytes of the text of each id, as `textSizes` reads them; ids without one are left out
 */
export function inPieces(ids: readonly Buffer[], sizes: ReadonlyMap<string, number>, maxBytes: number): Buffer[][] {
  const pieces: Buffer[][] = [];
  let left = 0;
  for (const id of ids) {
    const bytes = sizes.get(keyOf(id));
    if (bytes === undefined) continue;
    left -= bytes;
    const piece = pieces.at(-1);
    if (piece && left >= 0) piece.push(id);
    else {
      pieces.push([id]);
      left = maxBytes - bytes;
    }
  }
  return pieces;
}

/** The order of time: oldest or newest first. */
export type Order = 'ASC' | 'DESC';
/** A side of a position in the order of time. */
export type Bound = readonly [side: '<' | '<=' | '>' | '>=', id: Buffer];

/** Newest first, from the newest of all. */
export const FROM_NEWEST: Bound = ['<=', Buffer.alloc(16, 0xff)];

/** Returns the bound of what comes after an id in this order. */
export function beyond(id: Buffer, order: Order): Bound {
  return [order === 'ASC' ? '>' : '<', id];
}

/** Tells whether an id is on this side of a position. */
export function isWithin(id: Buffer, [side, end]: Bound) {
  const compared = id.compare(end);
  if (compared === 0) return side.endsWith('=');
  return compared < 0 === side.startsWith('<');
}

/** Returns how ids compare in this order. */
export function inOrderOf(order: Order): (a: Buffer, b: Buffer) => number {
  return order === 'ASC' ? (a, b) => a.compare(b) : (a, b) => b.compare(a);
}

/**
 * Ids that are passed over in each of several folders, to find a page by its number. Beyond that many the
 * whole form is walked through in the order of time, which needs no merging.
 */
const MERGED_OFFSET_MAX = 10_000;

/**
 * Ids that one statement passes over to find a page by its number: some milliseconds, also where the index is on disk.
 * The embedded database answers nobody else meanwhile.
 */
const STEP_ROWS = 20_000;

/**
 * A hint for servers only: with the primary key, they begin a page at the end of its folder instead of at its
 * position, and walk through everything between.
 */
export const BY_FOLDER = '/*! IGNORE INDEX (PRIMARY) */';
/** Another: of several forms they may go through all submissions instead. */
export const BY_LIST = '/*! FORCE INDEX (ix_submissions_list) */';

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
      const found = await this.ids(formId, filter, 'DESC', perPage + 1, 0, ['<', before]);
      const ids = found.slice(0, perPage);
      const newer = await this.ids(formId, filter, 'ASC', 1, 0, ['>', ids[0] ?? before]);
      return { ids, newer: newer.length > 0, older: found.length > perPage };
    }
    if (after) {
      const found = await this.ids(formId, filter, 'ASC', perPage + 1, 0, ['>', after]);
      const ids = found.slice(0, perPage).reverse();
      const older = await this.ids(formId, filter, 'DESC', 1, 0, ['<', ids.at(-1) ?? after]);
      return { ids, newer: found.length > perPage, older: older.length > 0 };
    }
    const offset = (page - 1) * perPage;
    const left = Math.min(perPage, total - offset);
    if (left <= 0) return { ids: [], newer: page > 1, older: false };
    if (offset > total / 2) {
      const rest = total - offset - left;
      const ids = await this.passingOver(rest, formId, filter, 'ASC', left);
      return { ids: ids.reverse(), newer: page > 1, older: rest > 0 };
    }
    const found = await this.passingOver(offset, formId, filter, 'DESC', perPage + 1);
    return { ids: found.slice(0, perPage), newer: page > 1, older: found.length > perPage };
  }

  /**
   * Returns an id that nothing stored by now is above: the newest one may lie ahead of our clock, since other instances
   * have clocks of their own. What is farther ahead than a day is of a clock that was wrong.
   */
  async end(): Promise<Buffer> {
    const now = makeUuid();
    const [row] = await selectRows<{ id: Buffer }>(
      this.source,
      'SELECT id FROM submissions WHERE id < ? ORDER BY id DESC LIMIT 1',
      [firstUuidAt(new Date(timeOf(now).getTime() + DAY_MS))],
    );
    return row && row.id.compare(now) > 0 ? row.id : now;
  }

  /** Finds the ids of the oldest submissions that the filter means. */
  oldest(formId: number, filter: SubmissionFilter, limit: number): Promise<Buffer[]> {
    return this.ids(formId, filter, 'ASC', limit, 0);
  }

  /** Finds the ids of the newest submissions that the filter means. */
  newest(formId: number, filter: SubmissionFilter, limit: number): Promise<Buffer[]> {
    return this.ids(formId, filter, 'DESC', limit, 0);
  }

  /** Finds the first ids in this order of submissions with a file, each once, whatever their folders. */
  async withFiles(formId: number, order: Order, limit: number, [side, id]: Bound): Promise<Buffer[]> {
    const rows = await selectRows<{ id: Buffer }>(
      this.source,
      `SELECT DISTINCT submission_id AS id FROM files WHERE form_id = ? AND submission_id ${side} ?
        ORDER BY submission_id ${order} LIMIT ?`,
      [formId, id, limit],
    );
    return rows.map((row) => row.id);
  }

  /** Finds ids behind so many others, step by step. */
  private async passingOver(offset: number, formId: number, filter: SubmissionFilter, order: Order, limit: number) {
    const bounds: Bound[] = [];
    let left = offset;
    for (; left > STEP_ROWS; left -= STEP_ROWS) {
      const [last] = await this.ids(formId, filter, order, 1, STEP_ROWS - 1, ...bounds);
      if (!last) return [];
      bounds[0] = beyond(last, order);
      await nextTurn();
    }
    return this.ids(formId, filter, order, limit, left, ...bounds);
  }

  private async ids(
    formId: number,
    filter: SubmissionFilter,
    order: Order,
    limit: number,
    offset: number,
    ...bounds: Bound[]
  ) {
    const { sql, parameters } = selectIds(formId, filter, order, limit, offset, ...bounds);
    const rows = await selectRows<{ id: Buffer }>(this.source, sql, parameters);
    return rows.map(({ id }) => id);
  }
}

/**
 * Returns a statement for ids in the order of time. Each folder is in that order in its index, so the first of
 * several folders are among the first of each; a large offset into several uses another index. One statement
 * reads all folders: a submission that moves between two of them is then found in one.
 */
export function selectIds(
  formId: number,
  filter: SubmissionFilter,
  order: Order,
  limit: number,
  offset: number,
  ...bounds: Bound[]
): Condition {
  const folders = foldersOf(filter);
  const groups: Folder[][] = offset <= MERGED_OFFSET_MAX ? folders.map((folder) => [folder]) : [folders];
  const within = tightest([...boundsOf(filter), ...bounds]);
  const select = (group: Folder[], ...page: number[]) => {
    const { sql, parameters } = conditionOf(formId, { ...filter, from: null, to: null }, group);
    const condition = [sql, ...within.map(([side]) => `id ${side} ?`)].join(' AND ');
    return {
      sql: `SELECT id FROM submissions ${BY_FOLDER} WHERE ${condition} ORDER BY id ${order} LIMIT ?${page.length > 1 ? ' OFFSET ?' : ''}`,
      parameters: [...parameters, ...within.map(([, id]) => id), ...page],
    };
  };
  const [only = folders, ...others] = groups;
  return others.length === 0
    ? select(only, limit, offset)
    : union(
        groups.map((group) => select(group, offset + limit)),
        order,
        limit,
        offset,
      );
}

/** Returns the times of a filter as bounds of ids. */
export function boundsOf({ from, to }: Pick<SubmissionFilter, 'from' | 'to'>): Bound[] {
  return [...(from ? [['>=', firstUuidAt(from)] as const] : []), ...(to ? [['<', firstUuidAt(to)] as const] : [])];
}

/**
 * Returns of several bounds the tightest of each side. Of two on the same side SQLite begins at one of them, and walks
 * through everything up to the other.
 */
export function tightest(bounds: readonly Bound[]): Bound[] {
  const lower = bounds.filter(([side]) => side.startsWith('>'));
  const upper = bounds.filter(([side]) => side.startsWith('<'));
  // Of the same id, the one without the id itself is tighter.
  lower.sort(([a, one], [b, other]) => other.compare(one) || a.length - b.length);
  upper.sort(([a, one], [b, other]) => one.compare(other) || a.length - b.length);
  return [...lower.slice(0, 1), ...upper.slice(0, 1)];
}

/** Returns one statement for the first ids of several that are each in this order. */
function union(selects: Condition[], order: Order, limit: number, offset: number): Condition {
  const parts = selects.map(({ sql }, index) => `SELECT id FROM (${sql}) AS folder${index}`);
  return {
    sql: `${parts.join(' UNION ALL ')} ORDER BY id ${order} LIMIT ? OFFSET ?`,
    parameters: [...selects.flatMap(({ parameters }) => parameters), limit, offset],
  };
}

/**
 * Reads how many bytes the values of these submissions have; the embedded database knows it without reading them.
 * @returns bytes by id, as `keyOf` writes it; without the ids that are gone
 */
export async function textSizes(manager: EntityManager, ids: readonly Buffer[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await selectRows<{ id: Buffer; bytes: number | string }>(
    { manager },
    `SELECT id, OCTET_LENGTH(payload) AS bytes FROM submissions WHERE id IN (${placeholders(ids)})`,
    [...ids],
  );
  return new Map(rows.map(({ id, bytes }) => [keyOf(id), Number(bytes)]));
}

/**
 * Returns an expression for the number of rows, up to `max`. Whether there are as many is looked up first: of a SELECT with a
 * LIMIT servers copy the rows that they count.
 * @param from a FROM and a WHERE, whose rows an index alone tells
 */
export function countUpTo(from: string, parameters: readonly unknown[], max: number): Condition {
  return {
    sql: `COALESCE((SELECT ? ${from} LIMIT 1 OFFSET ?), (SELECT COUNT(*) ${from}))`,
    parameters: [max, ...parameters, max - 1, ...parameters],
  };
}
