import { Injectable } from '@nestjs/common';
import { In, LessThanOrEqual } from 'typeorm';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  isDuplicate,
  TransactionalRepository,
  placeholders,
  ReadManager,
  selectEntities,
  selectRows,
} from '../../platform/database/index.js';
import { NOTHING_READ, type ReadState, there, type Condition } from '../../submissions/filter/submission-filter.js';
import { type Bound, type Order, countUpTo, BY_FOLDER } from '../../submissions/rows/submission-ids.js';
import { ReadException, ReadPosition } from './read-state.entity.js';
import { inSlices } from '../../platform/index.js';
import type { Principal } from '../../accounts/access/index.js';

/** Returns for whom it is kept what was read: a person, or a token. */
export function readerOf({ reader }: Principal) {
  return `${reader.kind}:${reader.id ?? ''}`;
}

/** Forms that one statement asks about. */
const FORMS_AT_ONCE = 100;

/** Read state of a reader in a form; null for no position, and for nothing that differs from it. */
interface ReadIn {
  formId: number;
  position: Buffer | null;
  differs: number | null;
}

/** Selects that of a `form`; the parameters are the reader, two times. */
const READ_IN = `
  (SELECT read_up_to FROM read_positions WHERE form_id = form.id AND reader = ?) AS position,
  (SELECT form_id FROM read_exceptions WHERE form_id = form.id AND reader = ? LIMIT 1) AS differs`;

/** Keeps what each reader has read: a position in each form, and what differs from it. */
@Injectable()
export class ReadStateRepository extends TransactionalRepository {
  /** Returns the reader's position in each of these forms that has one. */
  async positions(reader: string, formIds: readonly number[]): Promise<Map<number, Buffer>> {
    const found: ReadPosition[] = [];
    for (const formId of inSlices(formIds, FORMS_AT_ONCE)) {
      found.push(...(await selectEntities(this.source, ReadPosition, { formId, reader })));
    }
    return new Map(found.map(({ formId, readUpTo }) => [formId, readUpTo]));
  }

  /** Returns what the reader has read of these forms, for a filter. */
  async state(reader: string, formIds: readonly number[]): Promise<ReadState> {
    const positions = new Map<number, Buffer>();
    const differing = new Set<number>();
    for (const some of inSlices(formIds, FORMS_AT_ONCE)) {
      const rows = await selectRows<ReadIn>(
        this.source,
        `SELECT form.id AS formId, ${READ_IN} FROM \`forms\` form WHERE form.id IN (${placeholders(some)})`,
        [reader, reader, ...some],
      );
      for (const { formId, position, differs } of rows) {
        if (position) positions.set(formId, position);
        if (differs !== null) differing.add(formId);
      }
    }
    return { reader, positions, differing };
  }

  /** Returns which of these submissions differ from the reader's position; ids as Latin-1. */
  async exceptions(reader: string, formIds: readonly number[], ids: readonly Buffer[]): Promise<Set<string>> {
    const known = { formId: formIds, reader, submissionId: ids };
    const found = await selectEntities(this.source, ReadException, known);
    return new Set(found.map(({ submissionId }) => submissionId.toString('latin1')));
  }

  /** Finds what is unread up to the reader's position, in this order, within the bound. */
  async unreadInOrder(
    { reader, positions }: ReadState,
    formId: number,
    order: Order,
    [side, id]: Bound,
    limit: number,
  ): Promise<Buffer[]> {
    const rows = await selectRows<{ submission_id: Buffer }>(
      this.source,
      `SELECT submission_id FROM read_exceptions WHERE form_id = ? AND reader = ?
        AND submission_id <= ? AND submission_id ${side} ? ORDER BY submission_id ${order} LIMIT ?`,
      [formId, reader, positions.get(formId) ?? NOTHING_READ, id, limit],
    );
    return rows.map((row) => row.submission_id);
  }

  /**
   * Makes exceptions of those on the other side of the reader's position, and none of the rest.
   * @returns those that were not so before
   */
  async setRead(reader: string, formId: number, ids: readonly Buffer[], read: boolean): Promise<Buffer[]> {
    const position = (await this.positions(reader, [formId])).get(formId) ?? NOTHING_READ;
    const known = await this.exceptions(reader, [formId], ids);
    const differs = (id: Buffer) => id.compare(position) <= 0 !== read;
    const changed = ids.filter((id) => differs(id) !== known.has(id.toString('latin1')));
    await this.addExceptions(reader, formId, changed.filter(differs));
    await this.removeExceptions(
      reader,
      formId,
      changed.filter((id) => !differs(id)),
    );
    return changed;
  }

  private async addExceptions(reader: string, formId: number, ids: readonly Buffer[]) {
    const rows = ids.map((submissionId) => ({ formId, reader, submissionId }));
    if (rows.length > 0) await this.manager.insert(ReadException, rows);
  }

  private async removeExceptions(reader: string, formId: number, ids: readonly Buffer[]) {
    if (ids.length === 0) return;
    const where = { formId, reader, submissionId: In([...ids]) };
    await this.manager.delete(ReadException, where);
  }

  /** Moves a position forward, never back, and drops the exceptions up to it. */
  async moveTo(reader: string, formId: number, readUpTo: Buffer) {
    try {
      await this.manager.insert(ReadPosition, { formId, reader, readUpTo });
    } catch (error) {
      if (!isDuplicate(error, 'PRIMARY', 'read_positions.form_id')) throw error;
      const where = { formId, reader, readUpTo: LessThanOrEqual(readUpTo) };
      const { affected } = await this.manager.update(ReadPosition, where, { readUpTo });
      if (affected === 0) return;
    }
    const submissionId = LessThanOrEqual(readUpTo);
    await this.manager.delete(ReadException, { formId, reader, submissionId });
  }

  /** Does the same in several forms at once. */
  async moveAllTo(reader: string, formIds: readonly number[], readUpTo: Buffer) {
    const known = await this.positions(reader, formIds);
    const isMoved = (id: number) => readUpTo.compare(known.get(id) ?? NOTHING_READ) >= 0;
    const moved = formIds.filter((id) => known.has(id) && isMoved(id));
    const begun = formIds.filter((id) => !known.has(id));
    try {
      if (begun.length > 0) {
        const rows = begun.map((formId) => ({ formId, reader, readUpTo }));
        await this.manager.insert(ReadPosition, rows);
      }
    } catch (error) {
      if (!isDuplicate(error, 'PRIMARY', 'read_positions.form_id')) throw error;
      // Another request has just begun to read one of them.
      for (const id of begun) await this.moveTo(reader, id, readUpTo);
    }
    const changed = [...begun, ...moved];
    for (const some of inSlices(changed, FORMS_AT_ONCE)) {
      const formId = In(some);
      const submissionId = LessThanOrEqual(readUpTo);
      const where = { formId, reader, readUpTo: submissionId };
      await this.manager.update(ReadPosition, where, { readUpTo });
      await this.manager.delete(ReadException, { formId, reader, submissionId });
    }
  }

  private get manager() {
    return this.source.manager;
  }
}

/** Counts what readers have not read. */
@Injectable()
export class UnreadCountsRepository {
  constructor(private readonly source: ReadManager) {}

  /**
   * Counts what a reader has not read of the new submissions of each form, up to `limit`.
   * @returns by form; at the limit there may be more
   */
  async count(reader: string, formIds: readonly number[], limit: number): Promise<Map<number, number>> {
    const counts = new Map<number, number>();
    for (const some of inSlices(formIds, FORMS_AT_ONCE)) {
      const read = (await this.readIn(reader, some)).filter(mayHaveUnread);
      const parts = [
        ...countUnbegun(read.filter(isUnbegun), limit),
        ...read
          .filter((each) => !isUnbegun(each))
          .map(({ formId, position, differs }) => {
            const asked = { formId, reader, position: position ?? NOTHING_READ, limit };
            return differs === null ? countNewer(asked) : countWithExceptions(asked);
          }),
      ];
      if (parts.length === 0) continue;
      const rows = await selectRows<{ form_id: number | string; unread: number | string }>(
        this.source,
        parts.map(({ sql }) => sql).join(' UNION ALL '),
        parts.flatMap(({ parameters }) => parameters),
      );
      // MySQL sends numbers of a SELECT that are in no table as text.
      for (const row of rows) {
        counts.set(Number(row.form_id), Math.min(Number(row.unread), limit));
      }
      // The embedded database answers at once: with thousands of forms, others have their turn between.
      await nextTurn();
    }
    return counts;
  }

  /** Returns the newest in each of these forms, the reader's position, and whether anything differs from it. */
  private readIn(reader: string, formIds: readonly number[]) {
    return selectRows<Begun>(
      this.source,
      `SELECT form.id AS formId,
        (SELECT id FROM submissions ${BY_FOLDER} WHERE form_id = form.id AND ${IS_NEW}
          ORDER BY ${BACKWARDS} LIMIT 1) AS newest, ${READ_IN}
        FROM \`forms\` form WHERE form.id IN (${placeholders(formIds)})`,
      [reader, reader, ...formIds],
    );
  }
}

/** Read state of a reader in a form with possible new submissions. */
interface Begun extends ReadIn {
  /** Null when nothing is new. */
  newest: Buffer | null;
}

/** Whose unread submissions of a form are counted. */
interface Counted {
  formId: number;
  reader: string;
  position: Buffer;
  limit: number;
}

/** The order of the index as a whole: of its last column alone MySQL would sort all that is new in a form. */
const BACKWARDS = ['form_id', 'trash', 'spam', 'done', 'id'].map((name) => `${name} DESC`).join(', ');
const IS_NEW = 'trash = 0 AND spam = 0 AND done = 0';

/** Leaves out forms that are read to their end. */
function mayHaveUnread({ newest, position, differs }: Begun) {
  if (newest === null) return false;
  return position === null || differs !== null || newest.compare(position) > 0;
}

/** Tells whether everything in the form is unread. */
function isUnbegun({ position, differs }: ReadIn) {
  return position === null && differs === null;
}

/** Counts what is new in forms of which nothing is read, by one SELECT: servers plan a part for each longer than they count. */
function countUnbegun(forms: readonly ReadIn[], limit: number): Condition[] {
  if (forms.length === 0) return [];
  const from = `FROM submissions ${BY_FOLDER} WHERE form_id = form.id AND ${IS_NEW}`;
  const { sql, parameters } = countUpTo(from, [], limit);
  const ids = forms.map(({ formId }) => formId);
  return [
    {
      sql: `SELECT form.id AS form_id, ${sql} AS unread FROM \`forms\` form
        WHERE form.id IN (${placeholders(ids)})`,
      parameters: [...parameters, ...ids],
    },
  ];
}

/** Counts what is newer than the position, of a form without exceptions: the index alone tells. */
function countNewer({ formId, position, limit }: Counted): Condition {
  const from = `FROM submissions ${BY_FOLDER} WHERE form_id = ? AND ${IS_NEW} AND id > ?`;
  const { sql, parameters } = countUpTo(from, [formId, position], limit);
  return { sql: `SELECT ? AS form_id, ${sql} AS unread`, parameters: [formId, ...parameters] };
}

/** Counts what is newer than the position or not, each without its exceptions. */
function countWithExceptions({ formId, reader, position, limit }: Counted): Condition {
  const newer = `SELECT id FROM submissions ${BY_FOLDER} WHERE form_id = ? AND ${IS_NEW} AND id > ?
    AND NOT ${there('read_exceptions', 'form_id = ? AND reader = ?')} LIMIT ?`;
  const older = `SELECT id FROM read_exceptions JOIN submissions ON id = submission_id
    WHERE read_exceptions.form_id = ? AND reader = ? AND submission_id <= ? AND ${IS_NEW} LIMIT ?`;
  return {
    sql: `SELECT ? AS form_id, (SELECT COUNT(*) FROM (${newer}) AS newer)
      + (SELECT COUNT(*) FROM (${older}) AS older) AS unread`,
    parameters: [...[formId, formId, position, formId, reader, limit], ...[formId, reader, position, limit]],
  };
}
