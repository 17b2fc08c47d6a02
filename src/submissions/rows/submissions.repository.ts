import { setImmediate as nextTurn } from 'node:timers/promises';
import { type EntityManager, In } from 'typeorm';
import { Injectable } from '@nestjs/common';
import {
  forUpdateSql,
  selectEntities,
  selectRows,
  placeholders,
  TransactionalRepository,
} from '../../platform/database/index.js';
import { inPieces, keyOf, textSizes, countUpTo, BY_FOLDER } from './submission-ids.js';
import { Submission } from '../model/submission.entity.js';
import { inSlices, firstUuidAt } from '../../platform/index.js';
import {
  conditionOf,
  foldersOf,
  coversWholeFolders,
  type Condition,
  type SubmissionFilter,
} from '../filter/submission-filter.js';
import type { Lookup, Place } from '../model/submitted-values.js';

/** Submissions whose sizes one statement looks up. */
const PIECE_ROWS = 250;
/** Most bytes of values held in memory at a time; a single submission may have more. */
const PIECE_BYTES = 1024 * 1024;

/**
 * Reads submissions in the order of these ids, of whatever form, in pieces of at most PIECE_BYTES; ids that
 * are gone are left out. Others get a turn after each. The query is by id alone: with the form as a condition,
 * SQLite would read all of the form's rows.
 */
async function* loadInOrder(manager: EntityManager, ids: readonly Buffer[]): AsyncGenerator<Submission[]> {
  for (const some of inSlices(ids, PIECE_ROWS)) {
    const sizes = await textSizes(manager, some);
    for (const piece of inPieces(some, sizes, PIECE_BYTES)) {
      const found = await selectEntities({ manager }, Submission, { id: piece });
      const byId = new Map(found.map((submission) => [keyOf(submission.id), submission]));
      yield piece.flatMap((id) => byId.get(keyOf(id)) ?? []);
      // The embedded database answers synchronously: without a pause requests would have to wait.
      await nextTurn();
    }
  }
}

/** Reads any of these submissions that still exist, and locks them until the transaction ends. */
export async function lockedOf(manager: EntityManager, ids: readonly Buffer[]): Promise<Submission[]> {
  const lock = forUpdateSql(manager.dataSource);
  const sql = `SELECT id FROM \`submissions\` WHERE id IN (${placeholders(ids)}) ORDER BY id${lock}`;
  await selectRows({ manager }, sql, [...ids]);
  const all: Submission[] = [];
  for await (const some of loadInOrder(manager, ids)) all.push(...some);
  return all;
}

/** Hints for servers only, for ids of one form and of any: they may read all of a folder instead of looking these up. */
const BY_TIME = '/*! FORCE INDEX (ix_submissions_time) */';
const BY_ID = '/*! FORCE INDEX (PRIMARY) */';

/** The columns of a place, behind others. */
const PLACE = ', origin, referer, country';

/** A form's stored count, and the real number. */
export interface FormCount {
  identifier: string;
  counted: number;
  there: number;
}

/** A submission, without what was sent. */
export type SubmissionKey = Pick<Submission, 'id' | 'formId' | 'done'>;

/** How many there are, or when it is not exact, at least. */
export interface Count {
  count: number;
  isExact: boolean;
}

/** Reads and writes submissions; every query carries the form. */
@Injectable()
export class SubmissionsRepository extends TransactionalRepository {
  private readonly submissions = this.rowsOf(Submission);

  /** Tells whether the transaction that stores this submission was committed. */
  isStored(id: Buffer) {
    return this.submissions.existsBy({ id });
  }

  /** Returns which of these ids the form has submissions with. */
  async idsAmong(formId: number, ids: readonly Buffer[]): Promise<Buffer[]> {
    if (ids.length === 0) return [];
    const rows = await selectRows<{ id: Buffer }>(
      this.source,
      `SELECT id FROM submissions WHERE form_id = ? AND id IN (${placeholders(ids)})`,
      [formId, ...ids],
    );
    return rows.map(({ id }) => id);
  }

  /** Returns how many of those that a form counts came before a moment, or were taken back since. */
  async countBefore(formId: number, moment: Date) {
    const [row] = await selectRows<{ amount: number | string }>(
      this.source,
      `SELECT submission_count - (SELECT COUNT(*) FROM submissions ${BY_TIME}
          WHERE form_id = ? AND id >= ? AND trash = 0 AND spam = 0) AS amount
        FROM forms WHERE id = ?`,
      [formId, firstUuidAt(moment), formId],
    );
    return Number(row?.amount ?? 0);
  }

  /** Tells whether the form has this submission, and whether it is done, without its values. */
  async locate(formId: number, id: Buffer): Promise<SubmissionKey | null> {
    const [row] = await selectRows<{ done: number }>(
      this.source,
      'SELECT done FROM submissions WHERE id = ? AND form_id = ?',
      [id, formId],
    );
    return row ? { id, formId, done: row.done === 1 } : null;
  }

  async find(formId: number, id: Buffer): Promise<Submission | null> {
    const [found = null] = await selectEntities(this.source, Submission, { formId, id });
    return found;
  }

  /** Reads the submissions of the form among these ids, as `loadInOrder` does. */
  async *load(formId: number, ids: readonly Buffer[]): AsyncGenerator<Submission[]> {
    for await (const some of loadInOrder(this.source.manager, ids)) {
      yield some.filter((submission) => submission.formId === formId);
    }
  }

  /** Reads the submissions of these ids, of whatever forms, as `loadInOrder` does. */
  loadOfAll(ids: readonly Buffer[]): AsyncGenerator<Submission[]> {
    return loadInOrder(this.source.manager, ids);
  }

  /**
   * Yields which of these ids, of whatever forms, all look-ups mean, in their order; after each piece, up to where.
   * Values are read only where a look-up is about them.
   */
  async *exact(lookups: readonly Lookup[], ids: readonly Buffer[]): AsyncGenerator<{ ids: Buffer[]; last: Buffer }> {
    if (lookups.every(({ isFrom }) => isFrom)) {
      const places = await this.places(ids);
      const isMeant = (place: Place) => lookups.every(({ isFrom }) => isFrom?.(place));
      const last = ids.at(-1);
      if (last) yield { ids: places.filter(isMeant).map(({ id }) => id), last };
      return;
    }
    for await (const some of this.loadOfAll(ids)) {
      const exact = some.filter((each) => lookups.every(({ isIn }) => isIn(each)));
      const last = some.at(-1)?.id;
      if (last) yield { ids: exact.map(({ id }) => id), last };
    }
  }

  /**
   * Returns which of these ids the filter means, in their order; words are not looked for, nor what can be told from
   * the values alone.
   * @param formId the form of all of them; null for whatever forms
   */
  async among(formId: number | null, filter: SubmissionFilter, ids: Buffer[]): Promise<Buffer[]> {
    const { sql, parameters } = conditionOf(formId, filter, foldersOf(filter));
    const places = filter.values.flatMap(({ isFrom }) => isFrom ?? []);
    const rows = await selectRows<Place & { id: Buffer }>(
      this.source,
      `SELECT id${places.length > 0 ? PLACE : ''} FROM submissions ${formId === null ? BY_ID : BY_TIME}
        WHERE id IN (${placeholders(ids)}) AND ${sql}`,
      [...ids, ...parameters],
    );
    const meant = rows.filter((row) => places.every((isFrom) => isFrom(row)));
    const found = new Set(meant.map(({ id }) => keyOf(id)));
    return ids.filter((id) => found.has(keyOf(id)));
  }

  /** Reads where these came from, in their order; without the ids that are gone. */
  private async places(ids: readonly Buffer[]) {
    const rows = await selectRows<Place & { id: Buffer }>(
      this.source,
      `SELECT id${PLACE} FROM submissions WHERE id IN (${placeholders(ids)})`,
      [...ids],
    );
    const byId = new Map(rows.map((row) => [keyOf(row.id), row]));
    return ids.flatMap((id) => byId.get(keyOf(id)) ?? []);
  }

  /** Reads how many bytes the values of each of these have; ids as `keyOf` writes them. */
  sizes(ids: Buffer[]): Promise<Map<string, number>> {
    return textSizes(this.source.manager, ids);
  }

  /**
   * Counts what the filter selects, at one moment, where the index of lists tells. The count of the inbox, done or
   * not, is stored already; of each other folder up to `max` are counted.
   */
  async count(formId: number, filter: SubmissionFilter, max: number): Promise<Count> {
    const isStored = coversWholeFolders(filter) && filter.done === null;
    const folders = foldersOf(filter);
    const stored = folders.filter(({ spam, trash }) => isStored && !spam && !trash);
    const counted = folders.filter((folder) => !stored.includes(folder));
    const numbers: Condition[] = counted.map((folder) => {
      const { sql, parameters } = conditionOf(formId, filter, [folder]);
      return countUpTo(`FROM submissions ${BY_FOLDER} WHERE ${sql}`, parameters, max + 1);
    });
    if (stored.length > 0) {
      const sql = '(SELECT submission_count FROM forms WHERE id = ?)';
      numbers.push({ sql, parameters: [formId] });
    }
    const [row = {}] = await selectRows<Record<string, number | string>>(
      this.source,
      `SELECT ${numbers.map(({ sql }, index) => `${sql} AS n${index}`).join(', ')}`,
      numbers.flatMap(({ parameters }) => parameters),
    );
    const all = numbers.map((_, index) => Number(row[`n${index}`]));
    const isExact = all.every((number, index) => index >= counted.length || number <= max);
    const known = all.map((number, index) => (index < counted.length ? Math.min(number, max) : number));
    return { count: known.reduce((sum, number) => sum + number, 0), isExact };
  }

  /**
   * Returns the stored count and the real one of each form, read at one moment. Each form has a statement of
   * its own, so that submissions go on meanwhile.
   */
  async *countsByForm(): AsyncGenerator<FormCount> {
    const forms = await selectRows<{ id: number }>(this.source, 'SELECT id FROM forms');
    for (const { id } of forms) {
      const [row] = await selectRows<FormCount>(
        this.source,
        `SELECT identifier, submission_count AS counted, (SELECT COUNT(*) FROM submissions
          WHERE form_id = forms.id AND trash = 0 AND spam = 0) AS there FROM forms WHERE id = ?`,
        [id],
      );
      // Servers send a count as text.
      if (row) yield { ...row, there: Number(String(row.there)) };
    }
  }

  /**
   * Sets the stored count of a form to the real one, in a transaction. The form is locked first: what is being
   * stored or sorted meanwhile changes the count afterwards, by its difference.
   */
  async recount(identifier: string) {
    const { manager } = this.source;
    const [form] = await selectRows<{ id: number }>(
      { manager },
      'SELECT id FROM `forms` WHERE identifier = ?' + forUpdateSql(manager.dataSource),
      [identifier],
    );
    if (!form) return;
    const [counted] = await selectRows<{ there: number | string }>(
      { manager },
      'SELECT COUNT(*) AS there FROM submissions WHERE form_id = ? AND trash = 0 AND spam = 0',
      [form.id],
    );
    const there = Number(counted?.there ?? 0);
    await manager.query('UPDATE forms SET submission_count = ? WHERE id = ?', [there, form.id]);
  }

  /** Reads a submission of the form and locks it until the transaction ends; null when it is gone. */
  async lock(formId: number, id: Buffer): Promise<Submission | null> {
    const lock = forUpdateSql(this.source.manager.dataSource);
    await selectRows(this.source, `SELECT id FROM \`submissions\` WHERE id = ?${lock}`, [id]);
    return this.find(formId, id);
  }

  /** Replaces the values of a submission by others, as `SubmittedValues.encode()` writes them. */
  async setPayload(id: Buffer, payload: string) {
    await this.submissions.update({ id }, { payload });
  }

  async save({ id, spam, trash, spamReason, spamCode }: Submission) {
    await this.submissions.update({ id }, { spam, trash, spamReason, spamCode });
  }

  /**
   * Removes submissions. Those that are counted are removed by a statement of its own, which says how many
   * they were: of two removals at the same time only one counts them.
   * @returns how many were removed, and how many of them were counted
   */
  async remove(ids: Buffer[]): Promise<{ removed: number; counted: number }> {
    const id = In(ids);
    const counting = await this.submissions.delete({ id, spam: false, trash: false });
    const others = await this.submissions.delete({ id });
    const counted = counting.affected ?? 0;
    return { removed: counted + (others.affected ?? 0), counted };
  }
}
