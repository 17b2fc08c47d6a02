import { Injectable } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { inPieces } from '../byte-pieces.js';
import {
  isInIndex,
  NOTHING_READ,
  type SubmissionFilter,
  type PagePosition,
} from '../submission-filter.js';
import { SubmissionIds, type Bound, type Order, type PageOfIds } from '../submission-ids.js';
import { SubmissionsRepository } from '../submissions.repository.js';
import { MarksRepository } from '../triage/marks.repository.js';
import { ReadStateRepository } from '../triage/read-state.repository.js';
import { VerdictsRepository } from '../verdicts/verdicts.repository.js';
import { ValueIndex } from '../values/value-index.js';

/**
 * Submissions of which one statement looks up the sizes, and bytes of text that the next one searches. With
 * more, a server reaches its statement timeout, and the embedded database blocks everybody else.
 */
const PIECE_ROWS = 1_000;
const SEARCH_PIECE_BYTES = 4 * 1024 * 1024;
/** Newest first, from the newest of all. */
export const FROM_NEWEST: Bound = ['<=', Buffer.alloc(16, 0xff)];

/** What a walk has looked at since it said so last. */
export interface Looked {
  /** What the filter means, in order. */
  ids: Buffer[];
  /** How many were looked at, and the last of them. */
  rows: number;
  last: Buffer;
}

/**
 * Finds the submissions that a filter means, in the order of time. It walks through those that an index
 * names (those with a value, with a mark, unread, or of the folders) and looks at each piece as it goes.
 */
@Injectable()
export class SubmissionWalk {
  constructor(
    private readonly ids: SubmissionIds,
    private readonly submissions: SubmissionsRepository,
    private readonly values: ValueIndex,
    private readonly marks: MarksRepository,
    private readonly readState: ReadStateRepository,
    private readonly verdicts: VerdictsRepository,
  ) {}

  /** Finds the ids of all that the filter means, in this order from a bound on; others get a turn between. */
  async *from(
    formId: number,
    filter: SubmissionFilter,
    order: Order,
    bound: Bound,
  ): AsyncGenerator<Looked> {
    for await (const candidates of this.candidates(formId, filter, order, bound)) {
      for await (const piece of this.inSearchable(filter, candidates)) {
        const last = piece.at(-1);
        if (!last) continue;
        const ids = isInIndex(filter) ? piece : await this.fitting(formId, filter, piece);
        yield { ids, rows: piece.length, last };
        await nextTurn();
      }
    }
  }

  /** Finds the ids of all that the filter means up to `end`, newest first, some at a time. */
  async *upTo(formId: number, filter: SubmissionFilter, end: Buffer): AsyncGenerator<Buffer[]> {
    for await (const { ids } of this.from(formId, filter, 'DESC', ['<=', end])) yield ids;
  }

  /** Finds one page of what the filter means, and how much that is in all. */
  async page(
    formId: number,
    filter: SubmissionFilter,
    position: PagePosition,
  ): Promise<PageOfIds & { total: number }> {
    if (!isInIndex(filter)) return this.search(formId, filter, position);
    const total = await this.submissions.count(formId, filter);
    return { ...(await this.ids.page(formId, filter, position, total)), total };
  }

  /** Finds a page and the number in all in one pass. */
  private async search(
    formId: number,
    filter: SubmissionFilter,
    { page, perPage, before, after }: PagePosition,
  ): Promise<PageOfIds & { total: number }> {
    const offset = (before ?? after) ? 0 : (page - 1) * perPage;
    let total = 0;
    let newer = 0;
    let ids: Buffer[] = [];
    for await (const some of this.from(formId, filter, 'DESC', FROM_NEWEST)) {
      total += some.ids.length;
      for (const id of some.ids) {
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

  /** Finds what an index names, in order; of several that could, the one that is likely to name fewest. */
  private candidates(
    formId: number,
    filter: SubmissionFilter,
    order: Order,
    bound: Bound,
  ): AsyncGenerator<Buffer[]> {
    const [value] = filter.values;
    const [mark] = filter.marks;
    if (value) return this.values.candidatesInOrder(formId, value, order, bound);
    if (mark !== undefined) {
      return portionsFrom(order, bound, (next) =>
        this.marks.idsInOrder(formId, mark, order, next, PIECE_ROWS),
      );
    }
    if (filter.held) {
      return portionsFrom(order, bound, (next) =>
        this.verdicts.idsInOrder(formId, 'held', order, next, PIECE_ROWS),
      );
    }
    if (filter.unread) return this.unread(formId, filter, filter.unread, order, bound);
    return portionsFrom(order, bound, (next) =>
      this.ids.inFolders(formId, filter, order, PIECE_ROWS, next),
    );
  }

  /** Finds what is newer than the position, and the exceptions that are not, in order. */
  private async *unread(
    formId: number,
    filter: SubmissionFilter,
    state: NonNullable<SubmissionFilter['unread']>,
    order: Order,
    bound: Bound,
  ): AsyncGenerator<Buffer[]> {
    const position: Bound = ['>', state.positions.get(formId) ?? NOTHING_READ];
    const newer = portionsFrom(order, bound, (next) =>
      this.ids.inFolders(formId, filter, order, PIECE_ROWS, next, position),
    );
    const older = portionsFrom(order, bound, (next) =>
      this.readState.unreadInOrder(state, formId, order, next, PIECE_ROWS),
    );
    for (const part of order === 'DESC' ? [newer, older] : [older, newer]) yield* part;
  }

  /** Divides candidates so that a search in their texts stays within SEARCH_PIECE_BYTES. */
  private async *inSearchable(
    { words }: SubmissionFilter,
    ids: Buffer[],
  ): AsyncGenerator<Buffer[]> {
    if (words.length === 0) {
      yield ids;
      return;
    }
    yield* inPieces(ids, await this.submissions.searchSizes(ids), SEARCH_PIECE_BYTES);
  }

  private async fitting(
    formId: number,
    filter: SubmissionFilter,
    ids: Buffer[],
  ): Promise<Buffer[]> {
    const fitting = await this.submissions.among(formId, filter, ids);
    if (filter.values.length === 0) return fitting;
    const exact: Buffer[] = [];
    for await (const some of this.submissions.load(formId, fitting)) {
      for (const { id, values } of some) {
        if (filter.values.every((lookup) => lookup.isIn(values))) exact.push(id);
      }
    }
    return exact;
  }
}

/** Reads on from the last of each portion until there is none. */
async function* portionsFrom(
  order: Order,
  bound: Bound,
  read: (from: Bound) => Promise<Buffer[]>,
): AsyncGenerator<Buffer[]> {
  for (let from = bound; ;) {
    const ids = await read(from);
    const last = ids.at(-1);
    if (!last) return;
    yield ids;
    from = [order === 'ASC' ? '>' : '<', last];
  }
}
