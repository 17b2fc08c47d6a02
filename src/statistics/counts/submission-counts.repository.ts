import { type EntityManager, In } from 'typeorm';
import { Injectable } from '@nestjs/common';
import { placeholders, TransactionalRepository } from '../../platform/database/sql.js';
import { inSlices } from '../../platform/kernel/slices.js';
import { SubmissionCount } from './submission-count.entity.js';
import { ALL_FORMS, DAY, HOUR, COUNTER_NAMES, COUNTERS, sumsOf, type Sums } from './sums.js';
import type { Received } from '../../submissions/storage/received.js';
import { forUpdateSql } from '../../platform/database/select-rows.js';
import { addToCounters, type CounterTable } from '../../platform/database/counters.js';

/** Forms that one statement looks up. */
const FORMS_AT_ONCE = 500;

/** Returns the account of each of these forms that is not deleted. */
export async function accountsOf(
  manager: EntityManager,
  formIds: readonly number[],
): Promise<Map<number, number>> {
  const accounts = new Map<number, number>();
  for (const some of inSlices(formIds, FORMS_AT_ONCE)) {
    const found = await manager.query<{ id: number; account_id: number }[]>(
      `SELECT id, account_id FROM forms WHERE deleted_at IS NULL AND id IN (${placeholders(some)})`,
      some,
    );
    for (const { id, account_id } of found) accounts.set(id, account_id);
  }
  return accounts;
}

/** Returns the account of a form, deleted or not; 0 for none. @param lock keeps others from this form until the commit */
export async function accountOf(manager: EntityManager, formId: number, lock = false) {
  const [form] = await manager.query<{ account_id: number }[]>(
    `SELECT account_id FROM \`forms\` WHERE id = ?${lock ? forUpdateSql(manager.dataSource) : ''}`,
    [formId],
  );
  return form?.account_id ?? 0;
}

/** Rows that one transaction removes. */
const ROWS_AT_ONCE = 500;

const TABLE: CounterTable = {
  name: 'submission_counts',
  key: ['account_id', 'form_id', 'length', 'begins'],
  counters: Object.values(COUNTERS),
};

/** Amounts to add for a form in an hour of UTC. */
export type CountChange = Pick<Received, 'formId' | 'hour'> & Partial<Sums>;

/** Writes the counts of submissions. */
@Injectable()
export class SubmissionCountsRepository extends TransactionalRepository {
  /** Adds to the counts of forms that are not deleted: to hours and days, of each and of its account. */
  async add(changes: readonly CountChange[]): Promise<void> {
    const accounts = await accountsOf(this.source.manager, [
      ...new Set(changes.map(({ formId }) => formId)),
    ]);
    const counts = changes.flatMap((change) => {
      const { formId, hour } = change;
      const accountId = accounts.get(formId);
      if (accountId === undefined) return [];
      const sums = sumsOf((counter) => change[counter] ?? 0);
      return [formId, ALL_FORMS].flatMap((form) => [
        { accountId, formId: form, length: HOUR, begins: hour, ...sums },
        { accountId, formId: form, length: DAY, begins: hour - (hour % DAY), ...sums },
      ]);
    });
    await this.write(counts);
  }

  /** Takes some counts of a form from those of its account, and removes them. @returns how many; 0 when none are left */
  async forgetSome(formId: number): Promise<number> {
    const { manager } = this.source;
    const rows = manager.getRepository(SubmissionCount);
    const accountId = await accountOf(manager, formId, true);
    for (const length of [HOUR, DAY]) {
      const where = { accountId, formId, length };
      const found = await rows.find({ where, take: ROWS_AT_ONCE });
      if (found.length === 0) continue;
      await rows.delete({ ...where, begins: In(found.map(({ begins }) => begins)) });
      await this.write(
        found.map((count) => ({
          ...{ accountId, formId: ALL_FORMS, length, begins: count.begins },
          ...sumsOf((counter) => -count[counter]),
        })),
      );
      return found.length;
    }
    return 0;
  }

  private async write(counts: readonly SubmissionCount[]): Promise<void> {
    const changes = counts.map((count) => ({
      key: [count.accountId, count.formId, count.length, count.begins],
      amounts: COUNTER_NAMES.map((counter) => count[counter]),
    }));
    await addToCounters(this.source.manager, TABLE, changes);
  }
}
