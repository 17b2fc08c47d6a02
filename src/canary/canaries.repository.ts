import { insertMissing } from '../platform/database/sql.js';
import { Injectable } from '@nestjs/common';
import { In, IsNull, MoreThan, Not } from 'typeorm';
import { DueRowsRepository } from '../platform/database/leased-rows.js';
import { selectRows } from '../platform/database/select-rows.js';
import { FormCanary } from './model/form-canary.entity.js';

/** How the canaries of all forms fare. */
export interface CanaryState {
  /** Forms that fail, as a second run has confirmed. */
  failing: number;
  /** When the last run of any ended; null before the first. */
  lastRunAt: Date | null;
}

/** Reads and writes canaries. */
@Injectable()
export class CanariesRepository extends DueRowsRepository<FormCanary> {
  protected readonly rows = this.rowsOf(FormCanary);

  find(formId: number): Promise<FormCanary | null> {
    return this.rows.findOneBy({ formId });
  }

  /** Returns those of these forms whose failure is confirmed. */
  failingAmong(formIds: readonly number[]): Promise<FormCanary[]> {
    return this.rows.findBy({ formId: In([...formIds]), failedSince: Not(IsNull()) });
  }

  /** Returns the canaries of all accounts that failed last. */
  failing(limit: number): Promise<FormCanary[]> {
    const where = { failedSince: Not(IsNull()) };
    return this.rows.find({ where, order: { failedSince: 'DESC' }, take: limit });
  }

  /** Returns forms with submissions, by id after `after`. */
  withSubmissions(after: number, limit: number): Promise<{ id: number; accountId: number }[]> {
    return selectRows(
      this.source,
      `SELECT id, account_id AS accountId FROM \`forms\`
        WHERE id > ? AND deleted_at IS NULL AND submission_count > 0 ORDER BY id LIMIT ?`,
      [after, limit],
    );
  }

  /** Returns those of these forms that have a canary. */
  async known(formIds: readonly number[]): Promise<Set<number>> {
    const select = { id: true, formId: true };
    const found = await this.rows.find({ select, where: { formId: In([...formIds]) } });
    return new Set(found.map(({ formId }) => formId));
  }

  /** Adds canaries; forms that have one keep it. */
  async add(canaries: FormCanary[]): Promise<void> {
    if (canaries.length === 0) return;
    await insertMissing(this.rows, canaries);
  }

  /** Stores settings, and what a run found, whoever has a lease. */
  async update(canary: FormCanary): Promise<void> {
    const { schedule, page } = canary;
    await this.rows.update({ id: canary.id }, { schedule, page, ...foundBy(canary) });
  }

  /** Stores what a run of the schedule found, and gives the row back. */
  async store(canary: FormCanary, token: Buffer): Promise<void> {
    await this.complete(canary, token, foundBy(canary));
  }

  /** Makes canaries due. Those that are off stay so. */
  async expedite(formIds: readonly number[], now: Date): Promise<void> {
    const which = { formId: In([...formIds]), schedule: Not('off' as const) };
    await this.rows.update({ ...which, nextAt: MoreThan(now) }, { nextAt: now });
  }

  async removeOf(formId: number): Promise<void> {
    await this.rows.delete({ formId });
  }

  async state(): Promise<CanaryState> {
    const failing = await this.rows.countBy({ failedSince: Not(IsNull()) });
    const [last] = await this.rows.find({
      select: { id: true, ranAt: true },
      where: { ranAt: Not(IsNull()) },
      order: { ranAt: 'DESC' },
      take: 1,
    });
    return { failing, lastRunAt: last?.ranAt ?? null };
  }
}

function foundBy({ nextAt, tries, ranAt, result, failedSince }: FormCanary) {
  return { nextAt, tries, ranAt, result, failedSince };
}
