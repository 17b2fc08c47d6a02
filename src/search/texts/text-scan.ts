import { Injectable } from '@nestjs/common';
import { ReadManager, placeholders } from '../../platform/database/index.js';
import { inOrderOf, tightest, type Bound, type Order, keyOf, beyond } from '../../submissions/rows/submission-ids.js';
import { SubmissionsRepository } from '../../submissions/rows/submissions.repository.js';
import { hasAll, spellingsOf } from '../../submissions/model/submitted-values.js';
import { SubmissionTextsRepository } from './submission-texts.repository.js';
import { inSlices } from '../../platform/index.js';

/** A hint for servers only: texts are found by the form of a submission. */
const SUBMISSIONS_FIRST = '/*! STRAIGHT_JOIN */';

/** Bytes, any of which a text has to have. */
type Needle = readonly Buffer[];

/** A submission whose text has what is searched for, or is too long to be looked at by the database. */
interface TextMatch {
  id: Buffer;
  isLong: boolean;
}

/** Some texts of a form in a row. */
interface Place {
  formId: number;
  bounds: readonly Bound[];
}

/** Finds the texts of submissions that have certain bytes. */
@Injectable()
export class TextMatchesRepository {
  constructor(private readonly source: ReadManager) {}

  /** Finds in several places the first texts in this order with all of these needles, or too long to tell. */
  async matchingEach(
    places: readonly Place[],
    needles: readonly Needle[],
    order: Order,
    limit: number,
  ): Promise<TextMatch[][]> {
    const parameters: unknown[] = [];
    const parts = places.map(({ formId, bounds }, index) => {
      const narrow = tightest(bounds);
      parameters.push(formId, ...narrow.map(([, id]) => id), ...needles.flat(), limit);
      const within = narrow.map(([side]) => `AND id ${side} ?`).join(' ');
      return `SELECT ${index.toString()} AS place, id, is_long FROM (
        SELECT id, text IS NULL AS is_long FROM submission_texts WHERE form_id = ? ${within}
        AND (text IS NULL OR (${containsAll(needles)})) ORDER BY id ${order} LIMIT ?) AS p${index.toString()}`;
    });
    const rows = await this.source.manager.query<{ place: number | string; id: Buffer; is_long: number | string }[]>(
      parts.join(' UNION ALL '),
      parameters,
    );
    const found = places.map((): TextMatch[] => []);
    for (const { place, id, is_long } of rows) {
      found[Number(place)]?.push({ id, isLong: Number(is_long) === 1 });
    }
    return found.map((some) => some.sort(inOrder(order)));
  }

  /** Finds all texts of a form within any of these bounds that have all of these needles, or are too long to tell. */
  async matchingWithin(
    formId: number,
    needles: readonly Needle[],
    order: Order,
    places: readonly (readonly Bound[])[],
  ): Promise<TextMatch[]> {
    const parameters: unknown[] = [];
    // One condition of many costs databases less than a statement of many parts.
    const within = places.map((bounds) => {
      const narrow = tightest(bounds);
      parameters.push(formId, ...narrow.map(([, id]) => id));
      return `(form_id = ? ${narrow.map(([side]) => `AND id ${side} ?`).join(' ')})`;
    });
    const rows = await this.source.manager.query<{ id: Buffer; is_long: number | string }[]>(
      `SELECT id, text IS NULL AS is_long FROM submission_texts WHERE (${within.join(' OR ')})
        AND (text IS NULL OR (${containsAll(needles)}))`,
      [...parameters, ...needles.flat()],
    );
    const found = rows.map(({ id, is_long }) => ({ id, isLong: Number(is_long) === 1 }));
    return found.sort(inOrder(order));
  }

  /**
   * Looks into the texts of these submissions; those that have none here are left out.
   * @param formId the form of all of them; null for whatever forms
   */
  async lookInto(
    formId: number | null,
    needles: readonly Needle[],
    ids: readonly Buffer[],
  ): Promise<(TextMatch & { matches: boolean })[]> {
    if (ids.length === 0) return [];
    const rows = await this.source.manager.query<{ id: Buffer; is_long: number | string; found: number | string }[]>(
      formId === null
        ? `SELECT ${SUBMISSIONS_FIRST} t.id, text IS NULL AS is_long, (${containsAll(needles)}) AS found
            FROM submissions AS s JOIN submission_texts AS t ON t.form_id = s.form_id AND t.id = s.id
            WHERE s.id IN (${placeholders(ids)})`
        : `SELECT id, text IS NULL AS is_long, (${containsAll(needles)}) AS found
            FROM submission_texts WHERE form_id = ? AND id IN (${placeholders(ids)})`,
      [...needles.flat(), ...(formId === null ? [] : [formId]), ...ids],
    );
    return rows.map(({ id, is_long, found }) => ({ id, isLong: Number(is_long) === 1, matches: Number(found) === 1 }));
  }
}

/** Compares bytes. LIKE takes quadratic time on SQLite, and ends at the first NUL. */
function containsAll(needles: readonly Needle[]) {
  const any = (needle: Needle) => needle.map(() => 'INSTR(text, ?) > 0').join(' OR ');
  return needles.map((needle) => `(${any(needle)})`).join(' AND ');
}

function inOrder(order: Order): (a: TextMatch, b: TextMatch) => number {
  const compare = inOrderOf(order);
  return (a, b) => compare(a.id, b.id);
}

/** Texts that one statement searches, at first and at most. */
const PIECE_ROWS_FIRST = 500;
const PIECE_ROWS_MAX = 20_000;
/** Fewest, when they take long. */
const PIECE_ROWS_MIN = 250;
/** Duration of a statement in milliseconds below which the next one searches more, and above which it searches less. */
const PIECE_MS_MIN = 25;
const PIECE_MS_MAX = 75;
/** Matches that one statement finds at first, a page or two, and at most. */
const MATCHES_FIRST = 100;
const MATCHES_MAX = 500;
/** Matches that are found at first in each of several forms. */
const MATCHES_OF_EACH = 20;
/** Submissions whose texts one statement looks into. */
const IDS_AT_ONCE = 500;
/** Places that one statement searches. */
const PLACES_AT_ONCE = 100;

/** Result of scanning a piece of the texts. */
export interface Scanned {
  /** Ids of submissions with all words, in order. */
  ids: Buffer[];
  /** Up to where was searched. */
  last: Buffer;
}

/** Result of one statement on the texts of a form. */
export interface Piece {
  found: TextMatch[];
  /** The last text that it searched; null when that was the last of all. */
  end: Buffer | null;
  /** Whether it found as many as it may, and ended there. */
  isFull: boolean;
}

/** Compares texts one by one: all of a form, of some places, or of certain submissions. */
@Injectable()
export class TextScan {
  constructor(
    private readonly texts: SubmissionTextsRepository,
    private readonly matches: TextMatchesRepository,
    private readonly submissions: SubmissionsRepository,
  ) {}

  /**
   * Searches the first texts of several forms with two statements for all of them: a form that has few is searched as a
   * whole by them.
   */
  async firstOfEach(
    formIds: readonly number[],
    words: readonly string[],
    order: Order,
    bounds: readonly Bound[],
  ): Promise<Map<number, Piece>> {
    if (formIds.length === 0) return new Map();
    const rows = Math.min(PIECE_ROWS_FIRST, Math.ceil(PIECE_ROWS_MAX / formIds.length));
    const ends = await this.texts.lastOfEach(rows, formIds, order, bounds);
    const places = formIds.map((formId) => ({ formId, bounds: withEnd(bounds, order, ends.get(formId) ?? null) }));
    const found = await this.matches.matchingEach(places, needlesOf(words), order, MATCHES_OF_EACH);
    const pieces = formIds.map((formId, index): [number, Piece] => {
      const matches = found[index] ?? [];
      const isFull = matches.length === MATCHES_OF_EACH;
      return [formId, { found: matches, end: ends.get(formId) ?? null, isFull }];
    });
    return new Map(pieces);
  }

  /**
   * Searches the texts of a form within bounds, in pieces that take the database a moment each.
   * @param begun the first of them, where that is known
   */
  async *through(
    formId: number,
    words: readonly string[],
    order: Order,
    bounds: readonly Bound[],
    begun?: Piece,
  ): AsyncGenerator<Scanned> {
    const needles = needlesOf(words);
    let rows = PIECE_ROWS_FIRST;
    let matches = MATCHES_FIRST;
    let known = begun;
    for (let from = [...bounds]; ;) {
      const begin = performance.now();
      const { found, end, isFull } = known ?? (await this.piece(formId, needles, order, from, { rows, matches }));
      known = undefined;
      const ms = performance.now() - begin;
      const last = (isFull || !end ? found.at(-1)?.id : end) ?? null;
      if (!last) return;
      yield* this.decided(formId, words, found.map(asLooked));
      yield { ids: [], last };
      if (!isFull && !end) return;
      if (ms < PIECE_MS_MIN) rows = Math.min(rows * 2, PIECE_ROWS_MAX);
      if (ms > PIECE_MS_MAX) rows = Math.max(Math.floor(rows / 2), PIECE_ROWS_MIN);
      matches = Math.min(matches * 2, MATCHES_MAX);
      from = [...bounds, beyond(last, order)];
    }
  }

  /** Searches places of a form that are in this order; it says how far it is only where something was found. */
  async *inPlaces(
    formId: number,
    words: readonly string[],
    order: Order,
    places: readonly (readonly Bound[])[],
  ): AsyncGenerator<Scanned> {
    for (const some of inSlices(places, PLACES_AT_ONCE)) {
      const found = await this.matches.matchingWithin(formId, needlesOf(words), order, some);
      yield* this.decided(formId, words, found.map(asLooked));
    }
  }

  /**
   * Finds which of these submissions have all words, in their order, a piece of the values at a time.
   * @param formId the form of all of them; null for whatever forms
   */
  async *among(formId: number | null, words: readonly string[], ids: readonly Buffer[]): AsyncGenerator<Scanned> {
    const needles = needlesOf(words);
    for (const some of inSlices(ids, IDS_AT_ONCE)) {
      const short = new Map(
        (await this.matches.lookInto(formId, needles, some)).map(({ id, isLong, matches }) => [
          keyOf(id),
          isLong ? null : matches,
        ]),
      );
      const looked = some.map((id) => ({ id, matches: short.get(keyOf(id)) ?? null }));
      yield* this.decided(formId, words, looked);
    }
  }

  private async piece(
    formId: number,
    needles: readonly Needle[],
    order: Order,
    bounds: readonly Bound[],
    { rows, matches }: { rows: number; matches: number },
  ): Promise<Piece> {
    const end = (await this.texts.lastOfEach(rows, [formId], order, bounds)).get(formId) ?? null;
    const place = { formId, bounds: withEnd(bounds, order, end) };
    const [found = []] = await this.matches.matchingEach([place], needles, order, matches);
    return { found, end, isFull: found.length === matches };
  }

  /**
   * Yields those that match, in their order. Of which that is not known, since they have no text yet or a long one, the
   * values themselves are compared: it says how far it is after each piece of them, since a megabyte takes a moment.
   */
  private async *decided(
    formId: number | null,
    words: readonly string[],
    looked: readonly { id: Buffer; matches: boolean | null }[],
  ): AsyncGenerator<Scanned> {
    const wanted = spellingsOf(words);
    const unknown = looked.filter(({ matches }) => matches === null).map(({ id }) => id);
    const found = new Set<string>();
    let from = 0;
    const upTo = (end: number, last: Buffer): Scanned => {
      const ids = looked
        .slice(from, end)
        .filter(({ id, matches }) => matches ?? found.has(keyOf(id)))
        .map(({ id }) => id);
      from = end;
      return { ids, last };
    };
    const loaded = formId === null ? this.submissions.loadOfAll(unknown) : this.submissions.load(formId, unknown);
    for await (const some of loaded) {
      const names = await this.texts.of(some);
      for (const { id, values } of some) {
        const text = values.searchText(names.get(keyOf(id)));
        if (hasAll(text, wanted)) found.add(keyOf(id));
      }
      const last = some.at(-1)?.id;
      if (last) yield upTo(looked.findIndex(({ id }) => id.equals(last)) + 1, last);
    }
    const last = looked.at(-1)?.id;
    if (last) yield upTo(looked.length, last);
  }
}

/** Returns the bytes to look for, any spelling of each word, longest word first: those are rarest. */
export function needlesOf(words: readonly string[]): Needle[] {
  const needles = spellingsOf(words).map((word) => word.map((text) => Buffer.from(text)));
  const bytes = ([first]: Needle) => first?.length ?? 0;
  return needles.sort((a, b) => bytes(b) - bytes(a));
}

function withEnd(bounds: readonly Bound[], order: Order, end: Buffer | null): Bound[] {
  return end ? [...bounds, [order === 'ASC' ? '<=' : '>=', end]] : [...bounds];
}

function asLooked({ id, isLong }: TextMatch): { id: Buffer; matches: true | null } {
  return { id, matches: isLong ? null : true };
}
