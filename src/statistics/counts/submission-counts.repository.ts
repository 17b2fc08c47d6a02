import { type EntityManager, In } from 'typeorm';
import { Injectable } from '@nestjs/common';
import { placeholders, TransactionalRepository } from '../../platform/database/sql.js';
import { inSlices } from '../../platform/kernel/slices.js';
import { ALL_FORMS, DAY, HOUR, SubmissionCount } from './submission-count.entity.js';
import { COUNTER_NAMES, COUNTERS, sumsOf, type Sums } from './sums.js';
import type { Received } from '../../submissions/storage/received.js';
import { onConflictSql } from '../../platform/database/select-rows.js';

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

/** Returns the account of a form, deleted or not; null for none. */
export async function accountOf(manager: EntityManager, formId: number): Promise<number | null> {
  const [form] = await manager.query<{ account_id: number }[]>(
    'SELECT account_id FROM forms WHERE id = ?',
    [formId],
  );
  return form?.account_id ?? null;
}

/** Rows that one statement writes. */
const ROWS_AT_ONCE = 500;

const KEY = ['account_id', 'form_id', 'length', 'begins'];
const COLUMNS = [...KEY, ...Object.values(COUNTERS)];

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
    const counts = addedUp(changes).flatMap(({ formId, hour, sums }) => {
      const accountId = accounts.get(formId);
      if (accountId === undefined) return [];
      const day = hour - (hour % DAY);
      return [formId, ALL_FORMS].flatMap((form) => [
        { accountId, formId: form, length: HOUR, begins: hour, ...sums },
        { accountId, formId: form, length: DAY, begins: day, ...sums },
      ]);
    });
    await this.write(counts);
  }

  /**
   * Takes some counts of a form from those of its account, and removes them.
   * @returns how many; 0 when none are left
   * @throws CountsTaken when another instance was faster
   */
  async forgetSome(formId: number): Promise<number> {
    const { manager } = this.source;
    const rows = manager.getRepository(SubmissionCount);
    const accountId = (await accountOf(manager, formId)) ?? 0;
    for (const length of [HOUR, DAY]) {
      const where = { accountId, formId, length };
      const found = await rows.find({ where, take: ROWS_AT_ONCE });
      if (found.length === 0) continue;
      const begins = In(found.map((count) => count.begins));
      const { affected } = await rows.delete({ ...where, begins });
      if (affected !== found.length) throw new CountsTaken();
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

  /** Adds these amounts to rows that are there or not; equal amounts go together, as most are 1. */
  private async write(counts: readonly SubmissionCount[]): Promise<void> {
    for (const some of grouped(counts)) {
      for (const few of inSlices(some, ROWS_AT_ONCE)) {
        await this.upsert(few);
      }
    }
  }

  /** @param counts with the same amounts, and no key twice */
  private async upsert(counts: readonly SubmissionCount[]): Promise<void> {
    const { manager } = this.source;
    const [first] = counts;
    if (!first) return;
    const changed = COUNTER_NAMES.filter((counter) => first[counter] !== 0);
    if (changed.length === 0) return;
    // Numbers alone, so that nobody has to look for their places.
    const amounts = COUNTER_NAMES.map((counter) => first[counter]).join(',');
    const values = counts.map(
      (count) => `(${count.accountId},${count.formId},${count.length},${count.begins},${amounts})`,
    );
    const sums = changed.map((name) => `${COUNTERS[name]} = ${COUNTERS[name]} + ${first[name]}`);
    await manager.query(
      `INSERT INTO submission_counts (${COLUMNS.join(',')}) VALUES ${values.join(',')}
        ${onConflictSql(manager.dataSource, KEY, sums.join(', '))}`,
    );
  }
}

/** Thrown to roll back: another instance removed some of these counts. */
export class CountsTaken extends Error {}

/** Removes counts. @returns false when another instance does so now: the next run finds what it leaves */
export async function unlessTaken(remove: () => Promise<unknown>): Promise<boolean> {
  try {
    await remove();
    return true;
  } catch (error) {
    if (error instanceof CountsTaken) return false;
    throw error;
  }
}

/** Adds up what changes for the same form and hour: under load each of many batches has the same forms. */
function addedUp(
  changes: readonly CountChange[],
): (Pick<CountChange, 'formId' | 'hour'> & { sums: Sums })[] {
  const all = new Map<string, { formId: number; hour: number; sums: Sums }>();
  for (const change of changes) {
    const { formId, hour } = change;
    const key = `${formId} ${hour}`;
    const known = all.get(key);
    if (known) addTo(known.sums, change);
    else all.set(key, { formId, hour, sums: sumsOf((counter) => change[counter] ?? 0) });
  }
  return [...all.values()];
}

function addTo(sums: Sums, amounts: Partial<Sums>): void {
  for (const counter of COUNTER_NAMES) sums[counter] += amounts[counter] ?? 0;
}

/** Adds up what has the same key, and groups it by its amounts; in the order of the key. */
function grouped(counts: readonly SubmissionCount[]): SubmissionCount[][] {
  const sums = new Map<string, SubmissionCount>();
  for (const count of counts) {
    const key = [count.accountId, count.formId, count.length, count.begins].join(' ');
    const known = sums.get(key);
    if (known) addTo(known, count);
    else {
      const { accountId, formId, length, begins } = count;
      const amounts = sumsOf((counter) => count[counter]);
      sums.set(key, { ...{ accountId, formId, length, begins }, ...amounts });
    }
  }
  const groups = new Map<string, SubmissionCount[]>();
  for (const count of sums.values()) {
    const amounts = COUNTER_NAMES.map((counter) => count[counter]).join(' ');
    const group = groups.get(amounts);
    if (group) group.push(count);
    else groups.set(amounts, [count]);
  }
  return [...groups.values()];
}
