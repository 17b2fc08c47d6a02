import { Injectable } from '@nestjs/common';
import { ReadManager } from '../../platform/database/read-manager.js';
import { placeholders } from '../../platform/database/statement.js';
import { tightest, type Bound, type Order } from '../submission-ids.js';

/** A hint for servers only: texts are found by the form of a submission. */
const SUBMISSIONS_FIRST = '/*! STRAIGHT_JOIN */';

/** A submission whose text has what is searched for, or is too long to be looked at by the database. */
export interface TextMatch {
  id: Buffer;
  isLong: boolean;
}

/** Some texts of a form in a row. */
export interface Place {
  formId: number;
  bounds: readonly Bound[];
}

/** Finds the texts of submissions that have certain bytes. */
@Injectable()
export class TextMatchesRepository {
  constructor(private readonly source: ReadManager) {}

  /**
   * Finds in several places the texts with all of these bytes, or too long to tell, each in this order.
   * @param limit how many in each place; null: all
   */
  async matchingEach(
    places: readonly Place[],
    needles: readonly Buffer[],
    order: Order,
    limit: number | null,
  ): Promise<TextMatch[][]> {
    const end = limit === null ? '' : `ORDER BY id ${order} LIMIT ${limit.toString()}`;
    const parameters: unknown[] = [];
    const parts = places.map(({ formId, bounds }, index) => {
      const narrow = tightest(bounds);
      parameters.push(formId, ...narrow.map(([, id]) => id), ...needles);
      const within = narrow.map(([side]) => `AND id ${side} ?`).join(' ');
      const sql = `SELECT ${index.toString()} AS place, id, text IS NULL AS is_long
        FROM submission_texts WHERE form_id = ? ${within}
        AND (text IS NULL OR (${containsAll(needles)})) ${end}`;
      return limit === null
        ? sql
        : `SELECT place, id, is_long FROM (${sql}) AS p${index.toString()}`;
    });
    const rows = await this.source.manager.query<
      { place: number | string; id: Buffer; is_long: number | string }[]
    >(parts.join(' UNION ALL '), parameters);
    const found = places.map((): TextMatch[] => []);
    for (const { place, id, is_long } of rows) {
      found[Number(place)]?.push({ id, isLong: Number(is_long) === 1 });
    }
    for (const some of found) {
      some.sort((a, b) => (order === 'ASC' ? a.id.compare(b.id) : b.id.compare(a.id)));
    }
    return found;
  }

  /**
   * Looks into the texts of these submissions; those that have none here are left out.
   * @param formId the form of all of them; null for whatever forms
   */
  async lookInto(
    formId: number | null,
    needles: readonly Buffer[],
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
      [...needles, ...(formId === null ? [] : [formId]), ...ids],
    );
    return rows.map(({ id, is_long, found }) => ({
      id,
      isLong: Number(is_long) === 1,
      matches: Number(found) === 1,
    }));
  }
}

/** Compares bytes. LIKE takes quadratic time on SQLite, and ends at the first NUL. */
function containsAll(needles: readonly Buffer[]): string {
  return needles.map(() => 'INSTR(text, ?) > 0').join(' AND ');
}
