import { Injectable } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DeliveryFates } from '../../deliveries/fates.service.js';
import { InboxRepository } from './inbox.repository.js';
import {
  isInIndexOf,
  NOTHING_READ,
  type SubmissionFilter,
} from '../../submissions/filter/submission-filter.js';
import { SubmissionIds, type Bound, type Order } from '../../submissions/rows/submission-ids.js';
import { SubmissionsRepository } from '../../submissions/rows/submissions.repository.js';
import { TextSearch, type Scanned, type TextState } from '../texts/text-search.js';
import { MarksRepository } from '../../triage/marks/marks.repository.js';
import { ReadStateRepository } from '../../triage/read-state/read-state.repository.js';
import { VerdictsRepository } from '../../submissions/verdicts/verdicts.repository.js';
import { ValueIndex } from '../values/value-index.js';
import {
  inOrder,
  inPieces,
  isByText,
  portionsFrom,
  searched,
  settledBounds,
  unsearched,
  type Candidates,
} from './candidates.js';

/** Submissions of a form with a failed delivery that are put in order in memory. */
const FAILED_MAX = 2_000;

/** What a walk has looked at since it said so last. */
export interface Looked {
  /** What the filter means, in order. */
  ids: Buffer[];
  /** How many were looked at, and the last of them. */
  rows: number;
  last: Buffer;
}

/** What was read at once for the walks through several forms. */
export interface Begun {
  texts: TextState;
  /** The forms with submissions whose texts may not be there yet. */
  recent: ReadonlySet<number>;
}

/**
 * Walks through the submissions of one form that a filter means, in the order of time. It takes those that an index
 * names (those with a value, with a mark, with a file, unread, or of the folders), or those whose texts have the words,
 * and looks at each piece as it goes. `MergedWalk` makes one list of the walks through several forms; `WideWalk` does the same for
 * an account with too many of them.
 */
@Injectable()
export class SubmissionWalk {
  constructor(
    private readonly ids: SubmissionIds,
    private readonly inbox: InboxRepository,
    private readonly submissions: SubmissionsRepository,
    private readonly values: ValueIndex,
    private readonly texts: TextSearch,
    private readonly marks: MarksRepository,
    private readonly readState: ReadStateRepository,
    private readonly verdicts: VerdictsRepository,
    private readonly fates: DeliveryFates,
  ) {}

  /** Reads what searches of texts go by; null when the filter has no words. */
  textState(filter: SubmissionFilter): Promise<TextState | null> {
    return filter.words.length > 0 ? this.texts.state() : Promise.resolve(null);
  }

  /** Does at once what walks through these forms begin with, where that takes a statement or two of each. */
  async begin(
    formIds: readonly number[],
    filter: SubmissionFilter,
    order: Order,
    bound: Bound,
  ): Promise<Begun | null> {
    if (!isByText(filter)) return null;
    const state = await this.texts.state();
    const unsettled = [bound, ['>=', state.movedBelow]] as const;
    const recent = await this.inbox.firstOfEach(formIds, filter, order, ...unsettled);
    const bounds = settledBounds(filter, bound, state);
    const texts = this.texts.begin(formIds, filter.words, order, bounds, state);
    return { texts, recent: new Set(recent.keys()) };
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
    begun: Begun | null = null,
  ): AsyncGenerator<Looked> {
    const isMeant = isInIndexOf(formId, filter);
    for await (const piece of this.candidates(formId, filter, order, bound, begun)) {
      let left = piece.ids.length;
      if (!isMeant) {
        for await (const { ids, last } of this.fitting(formId, filter, piece)) {
          yield { ids, rows: Math.min(ids.length, left), last };
          left -= Math.min(ids.length, left);
          await nextTurn();
        }
      }
      yield { ids: isMeant ? piece.ids : [], rows: left, last: piece.last };
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
    begun: Begun | null,
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
    if (filter.hasFile) {
      return portionsFrom(order, bound, (next, rows) =>
        this.ids.withFiles(formId, order, rows, next),
      );
    }
    if (isByText(filter)) return this.byText(formId, filter, order, bound, begun);
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
    begun: Begun | null,
  ): AsyncGenerator<Candidates> {
    const state = begun?.texts ?? (await this.texts.state());
    const { movedBelow: moved } = state;
    const recent = portionsFrom(order, bound, (next, rows) =>
      this.ids.inFolders(formId, filter, order, rows, next, ['>=', moved]),
    );
    const bounds = settledBounds(filter, bound, state);
    const settled = searched(this.texts.scan(formId, filter.words, order, bounds, state));
    const all = begun?.recent.has(formId) === false ? [settled] : [recent, settled];
    for (const part of order === 'DESC' ? all : all.reverse()) yield* part;
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
    yield* inPieces(inOrder(few, order, bound));
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
    if (!state.differing.has(formId)) {
      yield* newer;
      return;
    }
    const older = portionsFrom(order, bound, (next, rows) =>
      this.readState.unreadInOrder(state, formId, order, next, rows),
    );
    for (const part of order === 'DESC' ? [newer, older] : [older, newer]) yield* part;
  }

  /**
   * Yields those that the filter means. Where the values themselves have to be looked at, it says how far it is after
   * each piece of them: whoever waits is told what there is once their time is over.
   */
  private async *fitting(
    formId: number,
    filter: SubmissionFilter,
    { ids, isSearched }: Candidates,
  ): AsyncGenerator<Scanned> {
    if (ids.length === 0) return;
    const inFolders = await this.submissions.among(formId, filter, ids);
    const last = inFolders.at(-1);
    if (!last) return;
    const isWithWords = isSearched || filter.words.length === 0;
    const pieces = isWithWords
      ? [{ ids: inFolders, last }]
      : this.texts.among(formId, filter.words, inFolders);
    for await (const piece of pieces) {
      if (filter.values.every(({ isFrom }) => isFrom)) yield piece;
      else yield* this.submissions.exact(filter.values, piece.ids);
    }
  }
}
