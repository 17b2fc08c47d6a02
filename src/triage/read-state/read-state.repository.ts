import { Injectable } from '@nestjs/common';
import { In, LessThanOrEqual, type EntityManager } from 'typeorm';
import { isDuplicate } from '../../platform/database/database.errors.js';
import { TransactionalRepository } from '../../platform/database/transactional-repository.js';
import { selectEntities, selectRows } from '../../platform/database/select-rows.js';
import { placeholders } from '../../platform/database/statement.js';
import { NOTHING_READ, type ReadState } from '../../submissions/filter/submission-filter.js';
import type { Bound, Order } from '../../submissions/rows/submission-ids.js';
import { ReadException, ReadPosition } from './read-state.entity.js';
import { inSlices } from '../../platform/kernel/slices.js';
import type { Principal } from '../../access/principal.js';

/** Returns for whom it is kept what was read: a person, or a token. */
export function readerOf({ reader }: Principal): string {
  return `${reader.kind}:${reader.id ?? ''}`;
}

/** Forms that one statement asks about. */
const FORMS_AT_ONCE = 100;

/** Read state of a reader in a form; null for no position, and for nothing that differs from it. */
export interface ReadIn {
  formId: number;
  position: Buffer | null;
  differs: number | null;
}

/** Selects that of a `form`; the parameters are the reader, two times. */
export const READ_IN = `
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
  async exceptions(
    reader: string,
    formIds: readonly number[],
    ids: readonly Buffer[],
  ): Promise<Set<string>> {
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
  async setRead(
    reader: string,
    formId: number,
    ids: readonly Buffer[],
    read: boolean,
  ): Promise<Buffer[]> {
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

  private async addExceptions(
    reader: string,
    formId: number,
    ids: readonly Buffer[],
  ): Promise<void> {
    const rows = ids.map((submissionId) => ({ formId, reader, submissionId }));
    if (rows.length > 0) await this.manager.insert(ReadException, rows);
  }

  private async removeExceptions(
    reader: string,
    formId: number,
    ids: readonly Buffer[],
  ): Promise<void> {
    if (ids.length === 0) return;
    const where = { formId, reader, submissionId: In([...ids]) };
    await this.manager.delete(ReadException, where);
  }

  /** Moves a position forward, never back, and drops the exceptions up to it. */
  async moveTo(reader: string, formId: number, readUpTo: Buffer): Promise<void> {
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
  async moveAllTo(reader: string, formIds: readonly number[], readUpTo: Buffer): Promise<void> {
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

  /** Removes what was read of submissions that are being removed. */
  async forget(ids: readonly Buffer[]): Promise<void> {
    await this.manager.delete(ReadException, { submissionId: In([...ids]) });
  }

  async forgetForm(formId: number): Promise<void> {
    await this.manager.delete(ReadPosition, { formId });
  }

  private get manager(): EntityManager {
    return this.source.manager;
  }
}
