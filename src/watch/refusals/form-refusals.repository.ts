import { Injectable } from '@nestjs/common';
import { LessThan } from 'typeorm';
import { addToCounters, type CounterTable } from '../../platform/database/counters.js';
import { selectRows } from '../../platform/database/select-rows.js';
import { placeholders, TransactionalRepository } from '../../platform/database/sql.js';
import { FormRefusal } from './form-refusal.entity.js';
import type { Refused } from './refusal-tally.js';
import { inSlices } from '../../platform/kernel/slices.js';

/** Forms that one statement names. */
const FORMS_AT_ONCE = 500;

const TABLE: CounterTable = {
  name: 'form_refusals',
  key: ['form_id', 'hour', 'code', 'field'],
  counters: ['amount'],
  more: ['account_id'],
};

/** Reads and writes what forms refused. */
@Injectable()
export class FormRefusalsRepository extends TransactionalRepository {
  private readonly rows = this.rowsOf(FormRefusal);

  /** Adds to the counts of forms that are not deleted. */
  async add(refused: readonly Refused[]): Promise<void> {
    const { manager } = this.source;
    const accounts = await this.accountsOf([...new Set(refused.map(({ formId }) => formId))]);
    const changes = refused.flatMap(({ formId, hour, code, field, amount }) => {
      const accountId = accounts.get(formId);
      if (accountId === undefined) return [];
      return { key: [formId, hour, code, field], more: [accountId], amounts: [amount] };
    });
    await addToCounters(manager, TABLE, changes);
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
