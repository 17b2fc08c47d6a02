import { Injectable } from '@nestjs/common';
import { In, type EntityManager } from 'typeorm';
import { ReadManager } from '../../platform/database/read-manager.js';
import { insertStatement, placeholders, runStatements } from '../../platform/database/statement.js';
import { makeUuid } from '../../platform/kernel/uuid.js';
import { ALL_FORMS, DAY, HOUR, SubmissionCount } from './submission-count.entity.js';
import { encodeReceived, summedUp, type Received } from './received.js';
import { isEmbedded } from '../../platform/database/engine.js';

/** Rows that one statement writes, and forms that one looks up. */
const ROWS_AT_ONCE = 500;

const KEY = ['account_id', 'form_id', 'length', 'begins'];
const COLUMNS = [...KEY, 'submissions', 'spam'];
/** Columns of a batch that has nothing for the index of values. */
const BATCH_COLUMNS = ['id', 'submission_ids', 'digests', 'counts'];
const NOTHING = Buffer.alloc(0);

/** Writes the counts of submissions. */
@Injectable()
export class SubmissionCountsRepository {
  constructor(private readonly source: ReadManager) {}

  in(tx: EntityManager): SubmissionCountsRepository {
    return new SubmissionCountsRepository({ manager: tx });
  }

  /**
   * Enqueues a change of the counts, in the transaction that causes it. Upkeep makes it: rows that all
   * submissions of an account change would make their transactions wait for each other.
   */
  async enqueue(changes: readonly Received[]): Promise<void> {
    const row = [makeUuid(), NOTHING, NOTHING, encodeReceived(changes)];
    const statements = insertStatement('submission_batches', BATCH_COLUMNS, [row]);
    await runStatements(this.source.manager, statements);
  }

  /** Adds to the counts of forms that are not deleted: to hours and days, of each and of its account. */
  async add(received: readonly Received[]): Promise<void> {
    const sums = summedUp(received);
    const accounts = await this.accountsOf([...new Set(sums.map(({ formId }) => formId))]);
    const counts = sums.flatMap(({ formId, hour, submissions, spam }) => {
      const accountId = accounts.get(formId);
      if (accountId === undefined) return [];
      const day = hour - (hour % DAY);
      return [formId, ALL_FORMS].flatMap((form) => [
        { accountId, formId: form, length: HOUR, begins: hour, submissions, spam },
        { accountId, formId: form, length: DAY, begins: day, submissions, spam },
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
    const forms = await manager.query<{ account_id: number }[]>(
      'SELECT account_id FROM forms WHERE id = ?',
      [formId],
    );
    const rows = manager.getRepository(SubmissionCount);
    const accountId = forms[0]?.account_id ?? 0;
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
          submissions: -count.submissions,
          spam: -count.spam,
        })),
      );
      return found.length;
    }
    return 0;
  }

  private async accountsOf(formIds: readonly number[]): Promise<Map<number, number>> {
    const accounts = new Map<number, number>();
    for (let from = 0; from < formIds.length; from += ROWS_AT_ONCE) {
      const some = formIds.slice(from, from + ROWS_AT_ONCE);
      const found = await this.source.manager.query<{ id: number; account_id: number }[]>(
        `SELECT id, account_id FROM forms WHERE deleted_at IS NULL
          AND id IN (${placeholders(some)})`,
        some,
      );
      for (const { id, account_id } of found) accounts.set(id, account_id);
    }
    return accounts;
  }

  /** Adds these amounts to rows that are there or not; equal amounts go together, as most are 1. */
  private async write(counts: readonly SubmissionCount[]): Promise<void> {
    for (const some of grouped(counts)) {
      for (let from = 0; from < some.length; from += ROWS_AT_ONCE) {
        await this.upsert(some.slice(from, from + ROWS_AT_ONCE));
      }
    }
  }

  /** @param counts with the same amounts, and no key twice */
  private async upsert(counts: readonly SubmissionCount[]): Promise<void> {
    const { manager } = this.source;
    const [first] = counts;
    if (!first) return;
    const known = isEmbedded(manager.dataSource)
      ? `ON CONFLICT (${KEY.join(',')}) DO UPDATE SET`
      : 'ON DUPLICATE KEY UPDATE';
    const rows = counts.map((count) => [
      count.accountId,
      count.formId,
      count.length,
      count.begins,
      count.submissions,
      count.spam,
    ]);
    const values = rows.map((row) => `(${placeholders(row)})`).join(',');
    await manager.query(
      `INSERT INTO submission_counts (${COLUMNS.join(',')}) VALUES ${values}
        ${known} submissions = submissions + ?, spam = spam + ?`,
      [...rows.flat(), first.submissions, first.spam],
    );
  }
}

/** Thrown to roll back: another instance removed some of these counts. */
export class CountsTaken extends Error {}

/** Adds up what has the same key, and groups it by its amounts; in the order of the key. */
function grouped(counts: readonly SubmissionCount[]): SubmissionCount[][] {
  const sums = new Map<string, SubmissionCount>();
  for (const count of counts) {
    const key = [count.accountId, count.formId, count.length, count.begins].join(' ');
    const { accountId, formId, length, begins } = count;
    const known = sums.get(key);
    sums.set(key, {
      ...{ accountId, formId, length, begins },
      submissions: count.submissions + (known?.submissions ?? 0),
      spam: count.spam + (known?.spam ?? 0),
    });
  }
  const groups = new Map<string, SubmissionCount[]>();
  for (const count of sums.values()) {
    const amounts = `${count.submissions} ${count.spam}`;
    const group = groups.get(amounts);
    if (group) group.push(count);
    else groups.set(amounts, [count]);
  }
  return [...groups.values()];
}
