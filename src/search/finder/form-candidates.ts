import { Injectable } from '@nestjs/common';
import { OptIns } from '../../deliveries/holds/opt-ins.service.js';
import { DeliveryFates } from '../../deliveries/fates.service.js';
import { NOTHING_READ, type SubmissionFilter } from '../../submissions/filter/submission-filter.js';
import {
  boundsOf,
  SubmissionIds,
  type Bound,
  type Order,
} from '../../submissions/rows/submission-ids.js';
import { VerdictsRepository } from '../../submissions/verdicts/verdicts.repository.js';
import { MarksRepository } from '../../triage/marks/marks.repository.js';
import { ReadStateRepository } from '../../triage/read-state/read-state.repository.js';
import { TextSearch, type TextState } from '../texts/text-search.js';
import { ValueIndex } from '../values/value-index.js';
import {
  candidatesFrom,
  inOrder,
  inPieces,
  isByText,
  searched,
  settledBounds,
  unsearched,
  type Candidates,
  type ReadIds,
} from './candidates.js';
import { FormRowsRepository } from './form-rows.repository.js';

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
    private readonly fates: DeliveryFates,
    private readonly optIns: OptIns,
  ) {}

  /** Reads what searches of texts go by; null when the filter has no words. */
  textState(filter: SubmissionFilter): Promise<TextState | null> {
    return filter.words.length > 0 ? this.texts.state() : Promise.resolve(null);
  }

  /** Does at once for these forms what each begins with, where that takes a statement or two. */
  async begin(
    formIds: readonly number[],
    filter: SubmissionFilter,
    order: Order,
    bound: Bound,
  ): Promise<Begun | null> {
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
  ): AsyncGenerator<Candidates> {
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
    const few = await this.fates.failedOf(formId, FAILED_MAX);
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
