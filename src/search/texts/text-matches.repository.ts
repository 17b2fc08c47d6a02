import { Injectable } from '@nestjs/common';
import { ReadManager } from '../../platform/database/transactional-repository.js';
import { placeholders } from '../../platform/database/statement.js';
import {
  inOrderOf,
  tightest,
  type Bound,
  type Order,
} from '../../submissions/rows/submission-ids.js';

/** A hint for servers only: texts are found by the form of a submission. */
const SUBMISSIONS_FIRST = '/*! STRAIGHT_JOIN */';

/** Bytes, any of which a text has to have. */
export type Needle = readonly Buffer[];

/** A submission whose text has what is searched for, or is too long to be looked at by the database. */
export interface TextMatch {
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
    const rows = await this.source.manager.query<
      { place: number | string; id: Buffer; is_long: number | string }[]
    >(parts.join(' UNION ALL '), parameters);
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
    const rows = await this.source.manager.query<
      { id: Buffer; is_long: number | string; found: number | string }[]
    >(
      formId === null
        ? `SELECT ${SUBMISSIONS_FIRST} t.id, text IS NULL AS is_long, (${containsAll(needles)}) AS found
            FROM submissions AS s JOIN submission_texts AS t ON t.form_id = s.form_id AND t.id = s.id
            WHERE s.id IN (${placeholders(ids)})`
        : `SELECT id, text IS NULL AS is_long, (${containsAll(needles)}) AS found
            FROM submission_texts WHERE form_id = ? AND id IN (${placeholders(ids)})`,
      [...needles.flat(), ...(formId === null ? [] : [formId]), ...ids],
    );
    return rows.map(({ id, is_long, found }) => ({
      id,
      isLong: Number(is_long) === 1,
      matches: Number(found) === 1,
    }));
  }
}

/** Compares bytes. LIKE takes quadratic time on SQLite, and ends at the first NUL. */
function containsAll(needles: readonly Needle[]): string {
  const any = (needle: Needle) => needle.map(() => 'INSTR(text, ?) > 0').join(' OR ');
  return needles.map((needle) => `(${any(needle)})`).join(' AND ');
}

function inOrder(order: Order): (a: TextMatch, b: TextMatch) => number {
  const compare = inOrderOf(order);
  return (a, b) => compare(a.id, b.id);
}
