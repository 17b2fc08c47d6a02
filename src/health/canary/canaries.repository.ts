import { insertMissing, TransactionalRepository, Jobs, selectRows } from '../../platform/database/index.js';
import { Injectable } from '@nestjs/common';
import { In, IsNull, Not } from 'typeorm';
import { FormCanary } from './form-canary.entity.js';

/** How the canaries of all forms fare. */
export interface CanaryState {
  /** Forms that fail, as a second run has confirmed. */
  failing: number;
  /** When the last run of any ended; null before the first. */
  lastRunAt: Date | null;
}

/** Kind of the jobs that run canaries; one that is off has no job. */
export const CANARY = 'canary';

/** Reads and writes canaries. */
@Injectable()
export class CanariesRepository extends TransactionalRepository {
  private readonly rows = this.rowsOf(FormCanary);
  private readonly jobs = new Jobs(this.source);

  async find(formId: number): Promise<FormCanary | null> {
    const canary = await this.rows.findOneBy({ formId });
    if (canary) canary.nextRunAt = (await this.jobs.find(jobOf(canary)))?.nextAt ?? null;
    return canary;
  }

  /** Returns which of these forms have a confirmed failure. */
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

  /** Returns which of these forms have a canary. */
  async known(formIds: readonly number[]): Promise<Set<number>> {
    const select = { id: true, formId: true };
    const found = await this.rows.find({ select, where: { formId: In([...formIds]) } });
    return new Set(found.map(({ formId }) => formId));
  }

  /** Adds canaries; forms that have one keep it. */
  async add(canaries: FormCanary[]) {
    if (canaries.length === 0) return;
    await insertMissing(this.rows, canaries);
    await this.jobs.add(canaries.flatMap(dueJobOf));
  }

  /** Stores settings, and what a run found. */
  async update({ id, schedule, page, tries, ranAt, result, failedSince }: FormCanary) {
    await this.rows.update({ id }, { schedule, page, tries, ranAt, result, failedSince });
  }

  /** Has a canary run when it says; a worker that runs it now loses it. */
  async schedule(canary: FormCanary) {
    await this.jobs.remove(jobOf(canary));
    await this.jobs.add(dueJobOf(canary));
  }

  /** Makes canaries due. Those that are off stay so. */
  async expedite(formIds: readonly number[], now: Date) {
    await this.jobs.expedite({ kind: CANARY, subject: formIds.map(String) }, now);
  }

  async removeOf(formId: number) {
    await this.rows.delete({ formId });
    await this.jobs.remove(jobOf({ formId }));
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

function jobOf({ formId }: Pick<FormCanary, 'formId'>) {
  return { kind: CANARY, subject: String(formId) };
}

function dueJobOf({ formId, accountId, nextRunAt }: FormCanary) {
  return nextRunAt ? [{ ...jobOf({ formId }), accountId, nextAt: nextRunAt }] : [];
}
