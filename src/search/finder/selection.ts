import { Injectable } from '@nestjs/common';
import { ReadManager, placeholders, selectRows } from '../../platform/database/index.js';
import {
  foldersOf,
  type Condition,
  type Folder,
  type SubmissionFilter,
} from '../../submissions/filter/submission-filter.js';
import {
  boundsOf,
  BY_FOLDER,
  BY_LIST,
  inOrderOf,
  tightest,
  type Bound,
  type Order,
  keyOf,
  countUpTo,
} from '../../submissions/rows/submission-ids.js';
import type { Submission } from '../../submissions/model/submission.entity.js';
import { inSlices } from '../../platform/index.js';
import type { Scope } from '../../accounts/access/index.js';
import { type FormSummary, FEW_FORMS, FormQueries } from '../../forms/form-queries.service.js';
import { ABOUT_SUBMISSIONS, anyOfKind } from '../../deliveries/model/delivery-filter.js';
import { ValueIndex } from '../values/value-index.js';
import { AccountRowsRepository } from './account-rows.repository.js';

const IN_FOLDER = 'trash = ? AND spam = ? AND done = ?';

/** Parts of one statement, one for each form and folder: SQLite takes at most 500. */
const PARTS_AT_ONCE = 400;

/** Forms asked for their first submissions together at first, then twice as many: a page mostly shows a few forms. */
const FORMS_OF_FIRST_PIECE = 8;

/** Which form and folder a submission is in. */
export type SubmissionState = Pick<Submission, 'id' | 'formId' | 'spam' | 'trash' | 'done'>;

/** Finds submissions of forms, few or many, by the index of their folders. */
@Injectable()
export class FormRowsRepository {
  constructor(private readonly source: ReadManager) {}

  /**
   * Returns the ids of the first submissions of these forms in this order. Each form is asked for its first one, and
   * then those whose first ones come first are asked for more, some at a time, until no other form can have any.
   * @param filter its folders and times; the rest is not looked at
   */
  async inOrder(
    formIds: readonly number[],
    filter: SubmissionFilter,
    order: Order,
    limit: number,
    ...within: Bound[]
  ): Promise<Buffer[]> {
    const compare = inOrderOf(order);
    const bounds = [...within, ...boundsOf(filter)];
    if (formIds.length === 1) {
      const ids = await this.idsOfEach(formIds, foldersOf(filter), order, bounds, limit);
      return ids.sort(compare).slice(0, limit);
    }
    const first = [...(await this.firstOfEach(formIds, filter, order, ...within))];
    first.sort(([, a], [, b]) => compare(a, b));
    let found: Buffer[] = [];
    let forms = FORMS_OF_FIRST_PIECE;
    for (let at = 0; at < first.length; at += forms, forms *= 2) {
      const last = found[limit - 1];
      const some = first.slice(at, at + forms);
      if (last && some[0] && compare(last, some[0][1]) < 0) break;
      const narrow: Bound[] = last ? [...bounds, [order === 'ASC' ? '<' : '>', last]] : bounds;
      const ids = some.map(([formId]) => formId);
      const more = await this.idsOfEach(ids, foldersOf(filter), order, narrow, limit);
      found = [...found, ...more].sort(compare).slice(0, limit);
    }
    return found;
  }

  /**
   * Counts the submissions of these forms, up to `max`. The first form is asked alone: servers go through one faster than
   * through several.
   * @param formIds largest first
   * @param filter its folders and times; the rest is not looked at
   */
  async countUpTo(formIds: readonly number[], filter: SubmissionFilter, max: number) {
    let count = 0;
    for (const some of [formIds.slice(0, 1), formIds.slice(1)]) {
      if (some.length === 0 || count >= max) break;
      const { sql, parameters } = counted(some, filter, max - count);
      const [row] = await selectRows<{ n: number | string }>(this.source, `SELECT ${sql} AS n`, parameters);
      count += Number(row?.n);
    }
    return count;
  }

  /** Returns the first id of each form in this order that its folders and times have; without forms that have none. */
  async firstOfEach(
    formIds: readonly number[],
    filter: Pick<SubmissionFilter, keyof Folder | 'from' | 'to'>,
    order: Order,
    ...bounds: Bound[]
  ): Promise<Map<number, Buffer>> {
    const first = new Map<number, Buffer>();
    const all = [...bounds, ...boundsOf(filter)];
    const compare = inOrderOf(order);
    const firstId = order === 'ASC' ? 'MIN(id)' : 'MAX(id)';
    for (const parts of partsOf(formIds, foldersOf(filter), all)) {
      const rows = await selectRows<{ form_id: number | string; id: Buffer | null }>(
        this.source,
        parts.map(({ sql }) => `SELECT ? AS form_id, ${firstId} AS id ${sql}`).join(' UNION ALL '),
        parts.flatMap(({ formId, parameters }) => [formId, ...parameters]),
      );
      for (const { form_id: named, id } of rows) {
        // MySQL sends numbers of a SELECT that are in no table as text.
        const formId = Number(named);
        const known = first.get(formId);
        if (id && (!known || compare(id, known) < 0)) first.set(formId, id);
      }
    }
    return first;
  }

  /** Reads the form and the folder of each of these submissions, in the order of the ids, without values. */
  async states(ids: readonly Buffer[]): Promise<SubmissionState[]> {
    if (ids.length === 0) return [];
    const rows = await selectRows<Pick<Submission, 'id' | 'formId'> & Record<keyof Folder, number>>(
      this.source,
      `SELECT id, form_id AS formId, spam, trash, done FROM submissions WHERE id IN (${placeholders(ids)})`,
      ids,
    );
    const byId = new Map(rows.map((row) => [keyOf(row.id), row]));
    return ids.flatMap((id) => {
      const row = byId.get(keyOf(id));
      if (!row) return [];
      return [{ ...row, spam: row.spam === 1, trash: row.trash === 1, done: row.done === 1 }];
    });
  }

  private async idsOfEach(
    formIds: readonly number[],
    folders: readonly Folder[],
    order: Order,
    bounds: readonly Bound[],
    limit: number,
  ) {
    const found: Buffer[] = [];
    for (const parts of partsOf(formIds, folders, bounds)) {
      const selects = parts.map(
        ({ sql }, index) => `SELECT id FROM (SELECT id ${sql} ORDER BY id ${order} LIMIT ?) AS f${index}`,
      );
      const rows = await selectRows<{ id: Buffer }>(
        this.source,
        selects.join(' UNION ALL '),
        parts.flatMap(({ parameters }) => [...parameters, limit]),
      );
      found.push(...rows.map(({ id }) => id));
    }
    return found;
  }
}

/** A form and a folder of it within bounds: a FROM and a WHERE. */
interface Part extends Condition {
  formId: number;
}

/**
 * Yields the parts of statements about each form and folder, as many for each as PARTS_AT_ONCE allows. Each part names its
 * form: for one that they learn only as they go, servers walk from the end of its folder to the bound.
 */
function* partsOf(formIds: readonly number[], folders: readonly Folder[], bounds: readonly Bound[]): Generator<Part[]> {
  const narrow = tightest(bounds);
  const sql = `FROM submissions ${BY_FOLDER} WHERE form_id = ? AND ${IN_FOLDER}${within(narrow)}`;
  const position = narrow.map(([, bound]) => bound);
  const all = formIds.flatMap((formId) =>
    folders.map((folder) => ({ ...{ formId, sql }, parameters: [formId, ...marksIn(folder), ...position] })),
  );
  yield* inSlices(all, PARTS_AT_ONCE);
}

/** Returns the number of what a filter means in these forms, as an expression; up to `max` of each folder are counted. */
function counted(formIds: readonly number[], filter: SubmissionFilter, max: number): Condition {
  const narrow = tightest(boundsOf(filter));
  const from = `FROM submissions ${BY_LIST} WHERE form_id IN (${placeholders(formIds)}) AND ${IN_FOLDER}${within(narrow)}`;
  const position = narrow.map(([, bound]) => bound);
  const parts = foldersOf(filter).map((folder) => countUpTo(from, [...formIds, ...marksIn(folder), ...position], max));
  return { sql: parts.map(({ sql }) => sql).join(' + '), parameters: parts.flatMap(({ parameters }) => parameters) };
}

function within(bounds: readonly Bound[]) {
  return bounds.map(([side]) => ` AND id ${side} ?`).join('');
}

/** Returns a folder as the parameters of a statement. */
function marksIn({ trash, spam, done }: Folder) {
  return [Number(trash), Number(spam), Number(done)];
}

/** Says what somebody looks for: what a filter means in forms that a scope sees. */
export interface Selection {
  scope: Scope;
  /** Null: all that the scope sees, where they are too many to be listed. */
  forms: readonly FormSummary[] | null;
  filter: SubmissionFilter;
}

/** A selection whose forms are known, however many. */
export interface ListedSelection extends Selection {
  forms: readonly FormSummary[];
}

/** Tells which forms can have what a filter asks for, where an index knows. Each form is asked for one row. */
@Injectable()
export class PossibleForms {
  constructor(
    private readonly rows: AccountRowsRepository,
    private readonly formRows: FormRowsRepository,
    private readonly values: ValueIndex,
    private readonly lists: FormQueries,
  ) {}

  /**
   * Finds them among all that a scope sees.
   * @returns null when no index tells, or there are more than FEW_FORMS
   */
  async in(scope: Scope, filter: SubmissionFilter): Promise<FormSummary[] | null> {
    const indexed = await this.indexed(filter);
    if (!indexed) return null;
    const found = await this.rows.formsWith(scope, indexed.there, FEW_FORMS + 1);
    const ids = [...new Set([...found, ...indexed.waiting])];
    return ids.length > FEW_FORMS ? null : this.lists.among(scope, ids);
  }

  /** Returns those among these forms; all of them where no index tells. */
  async among(formIds: readonly number[], filter: SubmissionFilter): Promise<readonly number[]> {
    const indexed = formIds.length > 1 ? await this.indexed(filter) : null;
    if (!indexed) return formIds;
    const found = await this.rows.formsWith(formIds, indexed.there, formIds.length);
    const left = new Set([...found, ...indexed.waiting]);
    return formIds.filter((id) => left.has(id));
  }

  /**
   * Returns the expression that has a value for a form that has what a filter asks for, and the forms of what waits to be
   * indexed; null where no index tells.
   */
  private async indexed(filter: SubmissionFilter): Promise<{ there: Condition; waiting: number[] } | null> {
    const [value] = filter.values;
    const [mark] = filter.marks;
    if (value) {
      const digest = Buffer.from(value.digest, 'hex');
      const sql = firstForm('submission_values v WHERE v.form_id = form.id AND v.digest = ?');
      // What waits to be indexed is read first: it is then in one of the two.
      const ids = await this.values.waitingFor(value);
      const waiting = (await this.formRows.states(ids)).map(({ formId }) => formId);
      return { there: { sql, parameters: [digest] }, waiting };
    }
    const there = (sql: string, ...parameters: unknown[]) => {
      return { there: { sql, parameters }, waiting: [] };
    };
    if (mark !== undefined) {
      return there(firstForm('submission_marks m WHERE m.form_id = form.id AND m.mark = ?'), mark);
    }
    if (filter.held) {
      return there(firstForm("submission_verdicts v WHERE v.form_id = form.id AND v.band = 'held'"));
    }
    if (filter.confirmation) {
      const sql = firstForm('opt_ins o WHERE o.form_id = form.id AND o.state = ?');
      return there(sql, filter.confirmation);
    }
    if (filter.failed) {
      const kinds = ABOUT_SUBMISSIONS.map(() => anyOfKind('failed')).join(', ');
      return there(`COALESCE(${kinds})`, ...ABOUT_SUBMISSIONS);
    }
    return filter.hasFile ? there(firstForm('files f WHERE f.form_id = form.id')) : null;
  }
}

/** Returns the expression that has a value when a form has a row of another table. */
function firstForm(rows: string) {
  return `(SELECT form_id FROM ${rows} LIMIT 1)`;
}
