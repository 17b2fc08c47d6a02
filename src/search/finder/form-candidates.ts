import { Injectable } from '@nestjs/common';
import { inSlices } from '../../platform/index.js';
import {
  type SubmissionFilter,
  NOTHING_READ,
  isInIndex,
  isInIndexOf,
} from '../../submissions/filter/submission-filter.js';
import {
  beyond,
  boundsOf,
  inOrderOf,
  isWithin,
  type Bound,
  type Order,
  SubmissionIds,
} from '../../submissions/rows/submission-ids.js';
import { type Scanned, type TextState, TextSearch } from '../texts/text-search.js';
import { longer, ValueIndex } from '../values/value-index.js';
import { OptIns } from '../../deliveries/holds/holds.service.js';
import { DeliveriesService } from '../../deliveries/deliveries.service.js';
import { VerdictsRepository } from '../../submissions/verdicts/verdicts.repository.js';
import { MarksRepository } from '../../triage/marks/marks.repository.js';
import { ReadStateRepository } from '../../triage/read-state/read-state.repository.js';
import { FormRowsRepository } from './selection.js';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SubmissionsRepository } from '../../submissions/rows/submissions.repository.js';
import { TextScan, type Scanned as Seen } from '../texts/text-scan.js';

/**
 * Submissions that one statement names, and the next ones look at. With more, a server reaches its statement
 * timeout, and the embedded database blocks everybody else.
 */
export const PIECE_ROWS_MAX = 1_000;
/** Rows of the first statement, for a page or two. */
const PIECE_ROWS_FIRST = 250;

/** Submissions that an index names, in the order of time, and up to where it was read. */
export interface Candidates extends Scanned {
  /** How many entries were read. */
  rows: number;
  /** Whether their texts were searched already. */
  isSearched: boolean;
}

/** Returns these ids, each once, in the order of time from a bound on. */
function inOrder(ids: readonly Buffer[], order: Order, bound: Bound) {
  const sorted = [...ids].sort(inOrderOf(order));
  return sorted.filter((id, at) => {
    const isFirst = at === 0 || sorted[at - 1]?.equals(id) !== true;
    return isFirst && isWithin(id, bound);
  });
}

/** Returns portions of some ids. */
function* inPieces(ids: readonly Buffer[]): Generator<Buffer[]> {
  yield* inSlices(ids, PIECE_ROWS_MAX);
}

/** Reads ids from a bound on; returns fewer than so many only when these are the last. */
export type ReadIds = (from: Bound, rows: number) => Promise<Buffer[]>;

/** Names what an index has from a bound on, some at a time; their texts are not searched. */
export function candidatesFrom(
  order: Order,
  bound: Bound,
  read: ReadIds,
  rowsFirst = PIECE_ROWS_FIRST,
): AsyncGenerator<Candidates> {
  return unsearched(portionsFrom(order, bound, read, rowsFirst));
}

/** Reads on from the last of each portion until there is no more. */
async function* portionsFrom(order: Order, bound: Bound, read: ReadIds, rowsFirst: number): AsyncGenerator<Buffer[]> {
  let rows = Math.min(rowsFirst, PIECE_ROWS_MAX);
  for (let from = bound; ; rows = longer(rows, PIECE_ROWS_MAX)) {
    const ids = await read(from, rows);
    yield ids;
    const last = ids.at(-1);
    if (!last || ids.length < rows) return;
    from = beyond(last, order);
  }
}

/** Takes portions of ids for candidates whose texts are not searched. */
async function* unsearched(portions: AsyncIterable<Buffer[]> | Iterable<Buffer[]>): AsyncGenerator<Candidates> {
  for await (const ids of portions) {
    const last = ids.at(-1);
    if (last) yield { ids, rows: ids.length, last, isSearched: false };
  }
}

/** Takes what a search of texts found for candidates. */
async function* searched(pieces: AsyncGenerator<Scanned>): AsyncGenerator<Candidates> {
  for await (const piece of pieces) yield { ...piece, rows: piece.ids.length, isSearched: true };
}

/** Tells whether the texts lead to what a filter means, and no index does. */
function isByText({ words, values, marks, held, confirmation, failed, hasFile }: SubmissionFilter) {
  const isPlain = !held && confirmation === null && !failed && !hasFile;
  return words.length > 0 && values.length + marks.length === 0 && isPlain;
}

/** Returns the bounds of what a search finds in texts that are all there. */
function settledBounds(filter: SubmissionFilter, bound: Bound, { movedBelow }: TextState): Bound[] {
  return [bound, ['<', movedBelow], ...boundsOf(filter)];
}

/** Submissions of a form with a failed delivery that are put in order in memory. */
const FAILED_MAX = 2_000;

/** Keeps what was read at once for several forms. */
export interface Begun {
  texts: TextState;
  /** The forms with submissions whose texts may not be there yet. */
  recent: ReadonlySet<number>;
}

/**
 * Names submissions of one form in the order of time: those that an index has (those with a value, with a mark, with a
 * file, unread, or of the folders), or those whose texts have the words.
 */
@Injectable()
export class FormCandidates {
  constructor(
    private readonly ids: SubmissionIds,
    private readonly rows: FormRowsRepository,
    private readonly values: ValueIndex,
    private readonly texts: TextSearch,
    private readonly marks: MarksRepository,
    private readonly readState: ReadStateRepository,
    private readonly verdicts: VerdictsRepository,
    private readonly deliveries: DeliveriesService,
    private readonly optIns: OptIns,
  ) {}

  /** Reads what searches of texts go by; null when the filter has no words. */
  textState(filter: SubmissionFilter): Promise<TextState | null> {
    return filter.words.length > 0 ? this.texts.state() : Promise.resolve(null);
  }

  /** Does at once for these forms what each begins with, where that takes a statement or two. */
  async begin(formIds: readonly number[], filter: SubmissionFilter, order: Order, bound: Bound): Promise<Begun | null> {
    if (!isByText(filter)) return null;
    const state = await this.texts.state();
    const unsettled = [bound, ['>=', state.movedBelow]] as const;
    const recent = await this.rows.firstOfEach(formIds, filter, order, ...unsettled);
    const bounds = settledBounds(filter, bound, state);
    const texts = this.texts.begin(formIds, filter.words, order, bounds, state);
    return { texts, recent: new Set(recent.keys()) };
  }

  /**
   * Names what an index has; of several that could, the one that is likely to name fewest.
   * @param begun what `begin` read for all forms of a search
   */
  candidates(
    formId: number,
    filter: SubmissionFilter,
    order: Order,
    bound: Bound,
    begun: Begun | null = null,
  ): AsyncGenerator<Candidates> {
    const named = (read: ReadIds) => candidatesFrom(order, bound, read);
    const [value] = filter.values;
    const [mark] = filter.marks;
    if (value) return unsearched(this.values.candidatesInOrder(formId, value, order, bound));
    if (mark !== undefined) {
      return named((from, rows) => this.marks.idsInOrder(formId, mark, order, from, rows));
    }
    if (filter.held) {
      return named((from, rows) => this.verdicts.idsInOrder(formId, 'held', order, from, rows));
    }
    const { confirmation } = filter;
    if (confirmation) {
      return named((from, rows) => this.optIns.idsInOrder(formId, confirmation, order, from, rows));
    }
    if (filter.failed) return this.failed(formId, filter, order, bound);
    if (filter.hasFile) {
      return named((from, rows) => this.ids.withFiles(formId, order, rows, from));
    }
    if (isByText(filter)) return this.byText(formId, filter, order, bound, begun);
    if (filter.unread) return this.unread(formId, filter, filter.unread, order, bound);
    return this.inFolders(formId, filter, order, bound);
  }

  private inFolders(
    formId: number,
    filter: SubmissionFilter,
    order: Order,
    ...[bound, ...others]: [Bound, ...Bound[]]
  ) {
    return candidatesFrom(order, bound, (from, rows) =>
      this.rows.inOrder([formId], filter, order, rows, from, ...others),
    );
  }

  /**
   * Finds what has all words among the submissions whose texts are there, and among the newer ones, which it names
   * one by one where it is not known which of them lack their text. Where the one ends and the other begins is read
   * first: it only rises, so none is in neither. Of a form with many older ones that lack their text it names all.
   */
  private async *byText(
    formId: number,
    filter: SubmissionFilter,
    order: Order,
    bound: Bound,
    begun: Begun | null,
  ): AsyncGenerator<Candidates> {
    const state = begun?.texts ?? (await this.texts.state());
    const { movedBelow: moved } = state;
    const newer: Bound = ['>=', moved];
    const { words } = filter;
    if (!state.unsettled || state.unsettled.has(formId)) {
      yield* this.inFolders(formId, filter, order, bound);
      return;
    }
    const within = [bound, newer, ...boundsOf(filter)];
    const recent = state.isCaughtUp
      ? searched(this.texts.recent(formId, words, order, within, state))
      : this.inFolders(formId, filter, order, bound, newer);
    const bounds = settledBounds(filter, bound, state);
    const settled = searched(this.texts.settled(formId, words, order, bounds, state));
    const all = begun?.recent.has(formId) === false ? [settled] : [recent, settled];
    for (const part of order === 'DESC' ? all : all.reverse()) yield* part;
  }

  /**
   * Finds what caused a delivery that failed. Few are put in order here; where there are many, the folders have them
   * soon.
   */
  private async *failed(
    formId: number,
    filter: SubmissionFilter,
    order: Order,
    bound: Bound,
  ): AsyncGenerator<Candidates> {
    const few = await this.deliveries.submissionsWithFailed(formId, FAILED_MAX);
    if (few === null) {
      yield* this.inFolders(formId, filter, order, bound);
      return;
    }
    yield* unsearched(inPieces(inOrder(few, order, bound)));
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
    const newer = this.inFolders(formId, filter, order, bound, position);
    if (!state.differing.has(formId)) {
      yield* newer;
      return;
    }
    const older = candidatesFrom(order, bound, (from, rows) =>
      this.readState.unreadInOrder(state, formId, order, from, rows),
    );
    for (const part of order === 'DESC' ? [newer, older] : [older, newer]) yield* part;
  }
}

/** Lists in order what a filter means among some submissions, and tells up to where was searched. */
export interface Searched extends Seen {
  /** How many were looked at. */
  rows: number;
}

/** Tells which candidates a filter means. */
@Injectable()
export class Matcher {
  constructor(
    private readonly submissions: SubmissionsRepository,
    private readonly texts: TextScan,
  ) {}

  /**
   * Yields what the filter means of each piece; others get a turn between.
   * @param formId the form of all of them; null for whatever forms
   */
  async *matching(
    formId: number | null,
    filter: SubmissionFilter,
    pieces: AsyncIterable<Candidates>,
  ): AsyncGenerator<Searched> {
    const isMeant = formId === null ? isInIndex(filter) : isInIndexOf(formId, filter);
    for await (const piece of pieces) {
      let left = piece.rows;
      if (!isMeant) {
        for await (const { ids, last } of this.among(formId, filter, piece)) {
          const rows = Math.min(ids.length, left);
          yield { ids, rows, last };
          left -= rows;
          await nextTurn();
        }
      }
      yield { ids: isMeant ? piece.ids : [], rows: left, last: piece.last };
      await nextTurn();
    }
  }

  /**
   * Yields those that the filter means. Where the values themselves have to be looked at, it says how far it is after
   * each piece of them: whoever waits is told what there is once their time is over.
   */
  private async *among(
    formId: number | null,
    filter: SubmissionFilter,
    { ids, isSearched }: Candidates,
  ): AsyncGenerator<Seen> {
    if (ids.length === 0) return;
    const inFolders = await this.submissions.among(formId, filter, ids);
    const last = inFolders.at(-1);
    if (!last) return;
    const isWithWords = isSearched || filter.words.length === 0;
    const pieces = isWithWords ? [{ ids: inFolders, last }] : this.texts.among(formId, filter.words, inFolders);
    for await (const piece of pieces) {
      if (filter.values.every(({ isFrom }) => isFrom)) yield piece;
      else yield* this.submissions.exact(filter.values, piece.ids);
    }
  }
}
