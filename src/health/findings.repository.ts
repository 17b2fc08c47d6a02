import { Injectable } from '@nestjs/common';
import { In, IsNull, LessThan, Not } from 'typeorm';
import { TransactionalRepository, insertMissing, selectRows } from '../platform/database/index.js';
import { firstUuidAt } from '../platform/index.js';
import type { Subject } from './finding.js';
import { AlarmNotice, FindingRow } from './finding.entity.js';

/** A form, and whose it is. */
interface OwnedForm {
  id: number;
  accountId: number;
}

/** Reads and writes findings, and what mails tell of them. */
@Injectable()
export class FindingsRepository extends TransactionalRepository {
  private readonly rows = this.rowsOf(FindingRow);
  private readonly notices = this.rowsOf(AlarmNotice);

  /** Returns the first forms of all accounts after an id. */
  formsAfter(id: number, limit: number): Promise<OwnedForm[]> {
    return selectRows(
      this.source,
      `SELECT id, account_id AS accountId FROM \`forms\`
        WHERE deleted_at IS NULL AND id > ? ORDER BY id LIMIT ?`,
      [id, limit],
    );
  }

  /** Returns the findings about these subjects, also those that are over. */
  about(subjects: readonly Subject[]): Promise<FindingRow[]> {
    const kinds = [...new Set(subjects.map(({ kind }) => kind))];
    const where = kinds.map((kind) => {
      const ids = subjects.filter((each) => each.kind === kind).map(({ id }) => id);
      return { kind, subjectId: In(ids) };
    });
    return where.length === 0 ? Promise.resolve([]) : this.rows.findBy(where);
  }

  /** Returns the first open findings about an account and its forms, oldest forms first. */
  open(accountId: number, limit: number): Promise<FindingRow[]> {
    return this.rows.find({
      where: { accountId, isOpen: true },
      order: { kind: 'ASC', subjectId: 'ASC' },
      take: limit,
    });
  }

  /** Returns the findings of a kind that somebody may have to be told of, or that they are over. */
  untold(kind: Subject['kind']): Promise<FindingRow[]> {
    return this.rows.findBy([
      { kind, isOpen: true, toldAt: IsNull(), severity: Not('shown') },
      { kind, isOpen: false, endedAt: IsNull() },
    ]);
  }

  /** Returns when an account was last told of a finding, or that one is over; null for not lately. */
  async lastToldAt(accountId: number): Promise<Date | null> {
    const last = async (column: 'toldAt' | 'endedAt') => {
      const where = { accountId, [column]: Not(IsNull()) };
      const [row] = await this.rows.find({ where, order: { [column]: 'DESC' }, take: 1 });
      return row?.[column]?.getTime() ?? 0;
    };
    const at = Math.max(await last('toldAt'), await last('endedAt'));
    return at === 0 ? null : new Date(at);
  }

  /** Adds findings, unless others did. */
  async add(rows: readonly FindingRow[]) {
    if (rows.length > 0) await insertMissing(this.rows, rows);
  }

  async set(row: FindingRow, to: Partial<FindingRow>) {
    await this.rows.update(keyOf(row), to);
  }

  /** Changes a finding that is still as it was read. @returns false when another process was faster */
  async claim(row: FindingRow, to: Partial<FindingRow>) {
    const { foundAt, seenAt, isOpen, toldAt, endedAt } = row;
    const told = { toldAt: toldAt ?? IsNull(), endedAt: endedAt ?? IsNull() };
    const { affected } = await this.rows.update(
      { ...keyOf(row), foundAt, isOpen, ...told, ...(!isOpen && { seenAt }) },
      to,
    );
    return affected !== 0;
  }

  async remove(row: FindingRow) {
    await this.rows.delete(keyOf(row));
  }

  async addNotice(notice: Omit<AlarmNotice, 'told'>) {
    await this.notices.insert(notice);
  }

  findNotice(deliveryId: Buffer): Promise<AlarmNotice | null> {
    return this.notices.findOneBy({ deliveryId });
  }

  /** Removes what mails told that were planned before a moment. */
  async forgetNotices(before: Date) {
    await this.notices.delete({ deliveryId: LessThan(firstUuidAt(before)) });
  }

  async removeOf(formId: number) {
    await this.rows.delete({ kind: 'form', subjectId: formId });
    await this.notices.delete({ formId });
  }
}

function keyOf({ kind, subjectId, code }: FindingRow) {
  return { kind, subjectId, code };
}
