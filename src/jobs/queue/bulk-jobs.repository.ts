import { Injectable } from '@nestjs/common';
import { In, IsNull, LessThan, Not, type FindOptionsWhere } from 'typeorm';
import type { Scope } from '../../access/principal.js';
import { databaseTime } from '../../platform/database/select-rows.js';
import {
  LeasedRowsRepository,
  visibleTo,
  type Leases,
} from '../../platform/database/leased-rows.js';
import { placeholders } from '../../platform/database/sql.js';
import { TooManyJobs } from '../../submissions/model/submission.errors.js';
import { BulkJob, OPEN_STATES } from './bulk-job.entity.js';

/** Most jobs of an account, or of one of its clients, that are under way at once. */
const OPEN_MAX = 20;
/** Jobs that one statement removes. */
const REMOVED_AT_ONCE = 200;
/** Exports with a file that a mail is looked for among. */
const READY_MAX = 100;
const OPEN = In([...OPEN_STATES]);
const RUNNING = { state: 'running' };

/** Kind of jobs that a worker takes: jobs that change submissions, or exports. */
export type JobKind = 'change' | 'export';

/** Reads and writes jobs. */
@Injectable()
export class BulkJobsRepository extends LeasedRowsRepository<BulkJob> {
  protected readonly rows = this.rowsOf(BulkJob);

  /** @throws TooManyJobs when so many of its maker are under way */
  async insert(job: BulkJob): Promise<void> {
    if ((await this.countOpen(job)) >= OPEN_MAX) throw new TooManyJobs(OPEN_MAX);
    await this.rows.insert(job);
  }

  find(scope: Scope, id: Buffer): Promise<BulkJob | null> {
    return this.rows.findOneBy({ ...visibleTo(scope), id });
  }

  /** Returns the newest jobs, newest first. */
  listFor(scope: Scope, limit: number): Promise<BulkJob[]> {
    return this.rows.find({ where: visibleTo(scope), order: { id: 'DESC' }, take: limit });
  }

  /** Returns the newest jobs that are not over, newest first. */
  listOpen(scope: Scope, limit: number): Promise<BulkJob[]> {
    const where = { ...visibleTo(scope), state: OPEN };
    return this.rows.find({ where, order: { id: 'DESC' }, take: limit });
  }

  private countOpen(scope: Scope): Promise<number> {
    return this.rows.countBy({ ...visibleTo(scope), state: OPEN });
  }

  /** Returns how workers share the jobs of a kind. */
  leases(kind: JobKind): Leases<BulkJob> {
    return this.leasesOf((own, token, seconds) => own.claimNext(token, seconds, kind));
  }

  /**
   * Claims a job of a kind that no other worker has: of the account that waited longest, the one that did.
   * @returns null when there is none, or another was faster
   */
  private async claimNext(token: Buffer, seconds: number, kind: JobKind): Promise<BulkJob | null> {
    const isKind = `export_form_id IS ${kind === 'export' ? 'NOT NULL' : 'NULL'}`;
    const [next] = await this.source.manager.query<{ id: Buffer }[]>(
      `SELECT id FROM bulk_jobs job WHERE state IN (${placeholders(OPEN_STATES)}) AND ${isKind}
        AND (lease_until IS NULL OR lease_until <= ${databaseTime(this.source.manager.dataSource)})
        ORDER BY (SELECT MAX(served.lease_until) FROM bulk_jobs served
          WHERE served.account_id = job.account_id AND served.${isKind}), lease_until, id LIMIT 1`,
      [...OPEN_STATES],
    );
    if (!next) return null;
    const free = this.freeLeases.map((each) => [{ ...each, state: OPEN }, RUNNING] as const);
    return this.lease(next.id, token, seconds, free);
  }

  /** Keeps a claimed job, and tells how far an export is. */
  override renew(job: BulkJob, token: Buffer, seconds: number): Promise<boolean> {
    const { exportFormId, done } = job;
    return super.renew(job, token, seconds, exportFormId === null ? {} : { done });
  }

  /** Stores how far a claimed job is. @returns false when the lease was lost, or the job was stopped */
  async advance(job: BulkJob, token: Buffer): Promise<boolean> {
    const { id, state, position, done, changed, errorCode, errorMessage, endedAt } = job;
    const { fileId, fileBytes, erasures } = job;
    const ended = { errorCode, errorMessage, endedAt, fileId, fileBytes, erasures };
    return this.change({ id, leaseToken: token }, { state, position, done, changed, ...ended });
  }

  /** Adds to what a job has changed, in the transaction that changes it. */
  async addChanged({ id }: BulkJob, count: number): Promise<void> {
    await this.rows.increment({ id }, 'changed', count);
  }

  /** Returns the exports of a form that have a file, the last that ended first. */
  readyExportsOf(formId: number): Promise<BulkJob[]> {
    return this.rows.find({
      where: { exportFormId: formId, state: 'finished', fileId: Not(IsNull()) },
      order: { endedAt: 'DESC' },
      take: READY_MAX,
    });
  }

  /** Finds a job by its id alone, for a link that names it. */
  findById(id: Buffer): Promise<BulkJob | null> {
    return this.rows.findOneBy({ id });
  }

  /** Returns what the files of an account's exports take, in bytes. */
  async fileBytesOf(accountId: number): Promise<number> {
    const [row] = await this.source.manager.query<{ bytes: number | string }[]>(
      `SELECT COALESCE(SUM(file_bytes), 0) AS bytes FROM bulk_jobs
        WHERE account_id = ? AND file_id IS NOT NULL`,
      [accountId],
    );
    return Number(row?.bytes ?? 0);
  }

  /** Tells whether an export of the form has a file. */
  hasFilesOf(formId: number): Promise<boolean> {
    return this.rows.existsBy({ exportFormId: formId, fileId: Not(IsNull()) });
  }

  /** Tells whether an export has the file. */
  hasFile(id: Buffer): Promise<boolean> {
    return this.rows.existsBy({ fileId: id });
  }

  /** Takes the files of a form's exports away. @returns the ids of some of them */
  forgetFilesOf(formId: number): Promise<Buffer[]> {
    return this.forgetFiles({ exportFormId: formId });
  }

  /** Takes the files of exports away that ended before a moment. @returns the ids of some of them */
  forgetFilesBefore(moment: Date): Promise<Buffer[]> {
    return this.forgetFiles({ endedAt: LessThan(moment) });
  }

  /**
   * Takes files away that were read before the last erasure of their form: their process ended before it could.
   * @returns the ids of some of them
   */
  async forgetOutdatedFiles(): Promise<Buffer[]> {
    const rows = await this.source.manager.query<{ id: Buffer }[]>(
      `SELECT bulk_jobs.id FROM bulk_jobs JOIN \`forms\` ON forms.id = bulk_jobs.export_form_id
        WHERE file_id IS NOT NULL AND bulk_jobs.erasures < forms.erasures LIMIT ?`,
      [REMOVED_AT_ONCE],
    );
    return rows.length === 0 ? [] : this.forgetFiles({ id: In(rows.map(({ id }) => id)) });
  }

  private async forgetFiles(where: FindOptionsWhere<BulkJob>): Promise<Buffer[]> {
    const found = await this.rows.find({
      select: { id: true, fileId: true },
      where: { ...where, fileId: Not(IsNull()) },
      take: REMOVED_AT_ONCE,
    });
    if (found.length === 0) return [];
    await this.rows.update({ id: In(found.map(({ id }) => id)) }, { fileId: null });
    return found.flatMap(({ fileId }) => fileId ?? []);
  }

  /** Stops a job that is not over; a worker that has it loses its lease. */
  async stop({ id }: BulkJob, endedAt: Date): Promise<void> {
    await this.rows.update({ id, state: OPEN }, { state: 'stopped', endedAt, leaseToken: null });
  }

  /** Removes some of the jobs that ended before a moment. @returns how many */
  async removeEndedBefore(moment: Date): Promise<number> {
    const old = await this.rows.find({
      select: { id: true },
      where: { endedAt: LessThan(moment) },
      take: REMOVED_AT_ONCE,
    });
    if (old.length > 0) await this.rows.delete({ id: In(old.map(({ id }) => id)) });
    return old.length;
  }
}
