import { Injectable } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DeliveryFates } from '../../deliveries/fates.service.js';
import { isInIndex, NOTHING_READ, type SubmissionFilter } from '../submission-filter.js';
import { boundsOf, SubmissionIds, type Bound, type Order } from '../submission-ids.js';
import { SubmissionsRepository } from '../submissions.repository.js';
import { TextSearch, type Scanned, type TextState } from '../texts/text-search.js';
import { MarksRepository } from '../triage/marks.repository.js';
import { ReadStateRepository } from '../triage/read-state.repository.js';
import { VerdictsRepository } from '../verdicts/verdicts.repository.js';
import { ValueIndex } from '../values/value-index.js';

/**
 * Submissions that one statement names, and the next ones look at. With more, a server reaches its statement
 * timeout, and the embedded database blocks everybody else.
 */
const PIECE_ROWS_MAX = 1_000;
/** Those of the first statement, for a page or two. */
const PIECE_ROWS_FIRST = 250;
/** Submissions of a form with a failed delivery that are put in order in memory. */
const FAILED_MAX = 2_000;
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

/** Submissions that an index names. */
interface Candidates extends Scanned {
  /** Whether their texts were searched already. */
  isSearched: boolean;
}

/**
 * Finds the submissions that a filter means, in the order of time. It walks through those that an index
 * names (those with a value, with a mark, unread, or of the folders), or through the texts, and looks at each piece
 * as it goes.
 */
@Injectable()
export class SubmissionWalk {
  constructor(
    private readonly ids: SubmissionIds,
    private readonly submissions: SubmissionsRepository,
    private readonly values: ValueIndex,
    private readonly texts: TextSearch,
    private readonly marks: MarksRepository,
    private readonly readState: ReadStateRepository,
    private readonly verdicts: VerdictsRepository,
    private readonly fates: DeliveryFates,
  ) {}

  /** Reads once what the walks through many forms go by. */
  begin(filter: SubmissionFilter): Promise<TextState | null> {
    return filter.words.length > 0 ? this.texts.state() : Promise.resolve(null);
  }

  /**
   * Finds the ids of all that the filter means, in this order from a bound on; others get a turn between.
   * @param begun what `begin` read for all forms of a search
   */
  async *from(
    formId: number,
    filter: SubmissionFilter,
    order: Order,
    bound: Bound,
    begun: TextState | null = null,
  ): AsyncGenerator<Looked> {
    for await (const piece of this.candidates(formId, filter, order, bound, begun)) {
      const ids = isInIndex(filter) ? piece.ids : await this.fitting(formId, filter, piece);
      yield { ids, rows: piece.ids.length, last: piece.last };
      await nextTurn();
    }
  }

  /** Finds the ids of all that the filter means up to `end`, newest first, some at a time. */
  async *upTo(formId: number, filter: SubmissionFilter, end: Buffer): AsyncGenerator<Buffer[]> {
    for await (const { ids } of this.from(formId, filter, 'DESC', ['<=', end])) yield ids;
  }

  /** Finds what an index names, in order; of several that could, the one that is likely to name fewest. */
  private candidates(
    formId: number,
    filter: SubmissionFilter,
    order: Order,
    bound: Bound,
    begun: TextState | null,
  ): AsyncGenerator<Candidates> {
    const [value] = filter.values;
    const [mark] = filter.marks;
    if (value) {
      return unsearched(this.values.candidatesInOrder(formId, value, order, bound));
    }
    if (mark !== undefined) {
      return portionsFrom(order, bound, (next, rows) =>
        this.marks.idsInOrder(formId, mark, order, next, rows),
      );
    }
    if (filter.held) {
      return portionsFrom(order, bound, (next, rows) =>
        this.verdicts.idsInOrder(formId, 'held', order, next, rows),
      );
    }
    if (filter.failed) return this.failed(formId, filter, order, bound);
    if (filter.words.length > 0) return this.byText(formId, filter, order, bound, begun);
    if (filter.unread) return this.unread(formId, filter, filter.unread, order, bound);
    return portionsFrom(order, bound, (next, rows) =>
      this.ids.inFolders(formId, filter, order, rows, next),
    );
  }

  /**
   * Finds what has all words among the submissions whose texts are all there, and names the others one by one. Where
   * the one ends and the other begins is read first: it only rises, so none is in neither.
   */
  private async *byText(
    formId: number,
    filter: SubmissionFilter,
    order: Order,
    bound: Bound,
    begun: TextState | null,
  ): AsyncGenerator<Candidates> {
    const state = begun ?? (await this.texts.state());
    const { movedBelow: moved } = state;
    const recent = portionsFrom(order, bound, (next, rows) =>
      this.ids.inFolders(formId, filter, order, rows, next, ['>=', moved]),
    );
    const bounds: Bound[] = [bound, ['<', moved], ...boundsOf(filter)];
    const settled = searched(this.texts.scan(formId, filter.words, order, bounds, state));
    for (const part of order === 'DESC' ? [recent, settled] : [settled, recent]) yield* part;
  }

  /**
   * Finds what caused a delivery that failed. Few are put in order here; where there are many, a walk through the
   * folders meets them soon.
   */
  private async *failed(
    formId: number,
    filter: SubmissionFilter,
    order: Order,
    bound: Bound,
  ): AsyncGenerator<Candidates> {
    const few = await this.fates.failedOf(formId, FAILED_MAX);
    if (few === null) {
      yield* portionsFrom(order, bound, (next, rows) =>
        this.ids.inFolders(formId, filter, order, rows, next),
      );
      return;
    }
    const ids = inOrder(few, order, bound);
    for (let at = 0; at < ids.length; at += PIECE_ROWS_MAX) {
      const piece = ids.slice(at, at + PIECE_ROWS_MAX);
      const last = piece.at(-1);
      if (last) yield { ids: piece, last, isSearched: false };
    }
  }

  /** Finds what is newer than the position, and the exceptions that are not, in order. */
  private async *unread(
    formId: number,
    filter: SubmissionFilter,
    state: NonNullable<SubmissionFilter['unread']>,
    order: Order,
    bound: Bound,
  ): AsyncGenerator<Candidates> {
    const position: Bound = ['>', state.positions.get(formId) ?? NOTHING_READ];
    const newer = portionsFrom(order, bound, (next, rows) =>
      this.ids.inFolders(formId, filter, order, rows, next, position),
    );
    const older = portionsFrom(order, bound, (next, rows) =>
      this.readState.unreadInOrder(state, formId, order, next, rows),
    );
    for (const part of order === 'DESC' ? [newer, older] : [older, newer]) yield* part;
  }

  private async fitting(
    formId: number,
    filter: SubmissionFilter,
    { ids, isSearched }: Candidates,
  ): Promise<Buffer[]> {
    if (ids.length === 0) return [];
    const inFolders = await this.submissions.among(formId, filter, ids);
    const isWithWords = isSearched || filter.words.length === 0;
    const fitting = isWithWords
      ? inFolders
      : await this.texts.among(formId, filter.words, inFolders);
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

/** Returns these ids, each once, in the order of time from a bound on. */
function inOrder(ids: readonly Buffer[], order: Order, [side, bound]: Bound): Buffer[] {
  const sorted = [...ids].sort((a, b) => (order === 'ASC' ? a.compare(b) : b.compare(a)));
  return sorted.filter((id, at) => {
    const toBound = id.compare(bound);
    const isWithin = side.startsWith('<') ? toBound < 0 : toBound > 0;
    const isFirst = at === 0 || sorted[at - 1]?.equals(id) !== true;
    return isFirst && (isWithin || (toBound === 0 && side.endsWith('=')));
  });
}

/** Reads on from the last of each portion until there is none. */
async function* portionsFrom(
  order: Order,
  bound: Bound,
  read: (from: Bound, rows: number) => Promise<Buffer[]>,
): AsyncGenerator<Candidates> {
  let rows = PIECE_ROWS_FIRST;
  for (let from = bound; ; rows = Math.min(rows * 2, PIECE_ROWS_MAX)) {
    const ids = await read(from, rows);
    const last = ids.at(-1);
    if (!last) return;
    yield { ids, last, isSearched: false };
    from = [order === 'ASC' ? '>' : '<', last];
  }
}

async function* unsearched(portions: AsyncGenerator<Buffer[]>): AsyncGenerator<Candidates> {
  for await (const ids of portions) {
    const last = ids.at(-1);
    if (last) yield { ids, last, isSearched: false };
  }
}

async function* searched(pieces: AsyncGenerator<Scanned>): AsyncGenerator<Candidates> {
  for await (const piece of pieces) yield { ...piece, isSearched: true };
}
