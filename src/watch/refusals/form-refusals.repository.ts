import { Injectable } from '@nestjs/common';
import { LessThan } from 'typeorm';
import { onConflictSql, selectRows } from '../../platform/database/select-rows.js';
import { placeholders, TransactionalRepository } from '../../platform/database/sql.js';
import { FormRefusal } from './form-refusal.entity.js';
import type { Refused } from './refusal-tally.js';
import { inSlices } from '../../platform/kernel/slices.js';

/** Rows that one statement writes. */
const ROWS_AT_ONCE = 500;
/** Forms that one statement names. */
const FORMS_AT_ONCE = 500;

const KEY = ['form_id', 'hour', 'code', 'field'];
const COLUMNS = [...KEY, 'account_id', 'amount'];

/** Reads and writes what forms refused. */
@Injectable()
export class FormRefusalsRepository extends TransactionalRepository {
  private readonly rows = this.rowsOf(FormRefusal);

  /** Adds to the counts of forms that are not deleted. @param refused no key twice */
  async add(refused: readonly Refused[]): Promise<void> {
    const accounts = await this.accountsOf([...new Set(refused.map(({ formId }) => formId))]);
    // Equal amounts go together, as most are 1: an amount has one place in a statement.
    const groups = new Map<number, unknown[][]>();
    for (const { formId, hour, code, field, amount } of refused) {
      const accountId = accounts.get(formId);
      if (accountId === undefined) continue;
      const group = groups.get(amount) ?? [];
      group.push([formId, hour, code, field, accountId, amount]);
      groups.set(amount, group);
    }
    for (const [amount, rows] of groups) {
      for (const some of inSlices(rows, ROWS_AT_ONCE)) {
        await this.upsert(some, amount);
      }
    }
  }

  /** Returns what these forms refused from an hour on, in the order of time. */
  async since(formIds: readonly number[], hour: number): Promise<Refused[]> {
    const found: Refused[] = [];
    for (const some of inSlices(formIds, FORMS_AT_ONCE)) {
      const rows = await selectRows<Refused>(
        this.source,
        `SELECT form_id AS formId, hour, code, field, amount FROM form_refusals
          WHERE form_id IN (${placeholders(some)}) AND hour >= ? ORDER BY form_id, hour, code, field`,
        [...some, hour],
      );
      found.push(...rows);
    }
    return found;
  }

  /** Removes up to so many counts from before an hour. @returns how many */
  async removeBefore(hour: number, limit: number): Promise<number> {
    const old = await this.rows.find({ where: { hour: LessThan(hour) }, take: limit });
    await this.rows.remove(old);
    return old.length;
  }

  async removeOf(formId: number): Promise<void> {
    await this.rows.delete({ formId });
  }

  private async upsert(rows: unknown[][], amount: number): Promise<void> {
    const { manager } = this.source;
    const change = `amount = form_refusals.amount + ${amount}`;
    await manager.query(
      `INSERT INTO form_refusals (${COLUMNS.join(',')}) VALUES ${rows.map((row) => `(${placeholders(row)})`).join(',')}
        ${onConflictSql(manager.dataSource, KEY, change)}`,
      rows.flat(),
    );
  }

  private async accountsOf(formIds: readonly number[]): Promise<Map<number, number>> {
    const accounts = new Map<number, number>();
    for (const some of inSlices(formIds, FORMS_AT_ONCE)) {
      const found = await selectRows<{ id: number; accountId: number }>(
        this.source,
        `SELECT id, account_id AS accountId FROM forms WHERE deleted_at IS NULL AND id IN (${placeholders(some)})`,
        some,
      );
      for (const { id, accountId } of found) accounts.set(id, accountId);
    }
    return accounts;
  }
}
