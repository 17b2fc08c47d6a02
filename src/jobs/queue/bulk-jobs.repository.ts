import { Injectable } from '@nestjs/common';
import { In, IsNull, LessThan, Not, Raw, type FindOptionsWhere } from 'typeorm';
import type { Scope } from '../../access/principal.js';
import { databaseTime } from '../../platform/database/select-rows.js';
import { TransactionalRepository, placeholders } from '../../platform/database/sql.js';
import { BulkJob, OPEN_STATES } from './bulk-job.entity.js';

/** Jobs that one statement removes. */
const REMOVED_AT_ONCE = 200;
/** Exports with a file that a mail is looked for among. */
const READY_MAX = 100;
const OPEN = In([...OPEN_STATES]);

/** Kind of jobs that a worker takes: jobs that change submissions, or exports. */
export type JobKind = 'change' | 'export';

/** Reads and writes jobs. */
@Injectable()
export class BulkJobsRepository extends TransactionalRepository {
  private readonly jobs = this.rowsOf(BulkJob);

  async insert(job: BulkJob): Promise<void> {
    await this.jobs.insert(job);
  }

  find(scope: Scope, id: Buffer): Promise<BulkJob | null> {
    return this.jobs.findOneBy({ ...visibleTo(scope), id });
  }

  /** Returns the newest jobs, newest first. */
  listFor(scope: Scope, limit: number): Promise<BulkJob[]> {
    return this.jobs.find({ where: visibleTo(scope), order: { id: 'DESC' }, take: limit });
  }

  /** Returns the newest jobs that are not over, newest first. */
  listOpen(scope: Scope, limit: number): Promise<BulkJob[]> {
    const where = { ...visibleTo(scope), state: OPEN };
    return this.jobs.find({ where, order: { id: 'DESC' }, take: limit });
  }

  countOpen(scope: Scope): Promise<number> {
    return this.jobs.countBy({ ...visibleTo(scope), state: OPEN });
  }

  /**
   * Claims a job of a kind that no other worker has: of the account that waited longest, the one that did. The update is
   * guarded by the lease, so of several workers exactly one gets it; the lease uses the database's clock.
   * @returns null when there is none, or another was faster
   */
  async claimNext(token: Buffer, leaseSeconds: number, kind: JobKind): Promise<BulkJob | null> {
    const free = this.withFreeLease(kind);
    const isKind = `export_form_id IS ${kind === 'export' ? 'NOT NULL' : 'NULL'}`;
    const [next] = await this.source.manager.query<{ id: Buffer }[]>(
      `SELECT id FROM bulk_jobs job WHERE state IN (${placeholders(OPEN_STATES)}) AND ${isKind}
        AND (lease_until IS NULL OR lease_until <= ${databaseTime(this.source.manager.dataSource)})
        ORDER BY (SELECT MAX(served.lease_until) FROM bulk_jobs served
          WHERE served.account_id = job.account_id AND served.${isKind}), lease_until, id LIMIT 1`,
      [...OPEN_STATES],
    );
    if (!next) return null;
    const { id } = next;
    for (const each of free) {
      await this.jobs.update(
        { ...each, id },
        { state: 'running', leaseToken: token, leaseUntil: this.timeIn(leaseSeconds) },
      );
    }
    return this.jobs.findOneBy({ id, leaseToken: token });
  }

  /** Keeps a claimed job, and tells how far an export is. @returns false when the lease was lost */
  async renew(
    { id, exportFormId, done }: BulkJob,
    token: Buffer,
    leaseSeconds: number,
  ): Promise<boolean> {
    const leaseUntil = this.timeIn(leaseSeconds);
    const told = exportFormId === null ? { leaseUntil } : { leaseUntil, done };
    const { affected } = await this.jobs.update({ id, leaseToken: token }, told);
    return affected !== 0;
  }

  /** Stores how far a claimed job is. @returns false when the lease was lost, or the job was stopped */
  async advance(job: BulkJob, token: Buffer): Promise<boolean> {
    const { id, state, position, done, changed, errorCode, errorMessage, endedAt } = job;
    const { fileId, fileBytes, erasures } = job;
    const ended = { errorCode, errorMessage, endedAt, fileId, fileBytes, erasures };
    const { affected } = await this.jobs.update(
      { id, leaseToken: token },
      { state, position, done, changed, ...ended },
    );
    return affected !== 0;
  }

  /** Adds to what a job has changed, in the transaction that changes it. */
  async addChanged({ id }: BulkJob, count: number): Promise<void> {
    await this.jobs.increment({ id }, 'changed', count);
  }

  /** Returns the exports of a form that have a file, the last that ended first. */
  readyExportsOf(formId: number): Promise<BulkJob[]> {
    return this.jobs.find({
      where: { exportFormId: formId, state: 'finished', fileId: Not(IsNull()) },
      order: { endedAt: 'DESC' },
      take: READY_MAX,
    });
  }

  /** Finds a job by its id alone, for a link that names it. */
  findById(id: Buffer): Promise<BulkJob | null> {
    return this.jobs.findOneBy({ id });
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
    return this.jobs.existsBy({ exportFormId: formId, fileId: Not(IsNull()) });
  }

  /** Tells whether an export has the file. */
  hasFile(id: Buffer): Promise<boolean> {
    return this.jobs.existsBy({ fileId: id });
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
    const found = await this.jobs.find({
      select: { id: true, fileId: true },
      where: { ...where, fileId: Not(IsNull()) },
      take: REMOVED_AT_ONCE,
    });
    if (found.length === 0) return [];
    await this.jobs.update({ id: In(found.map(({ id }) => id)) }, { fileId: null });
    return found.flatMap(({ fileId }) => fileId ?? []);
  }

  /** Gives a claimed job back; others are worked on before it. */
  async release({ id }: BulkJob, token: Buffer): Promise<void> {
    await this.jobs.update(
      { id, leaseToken: token },
      { leaseToken: null, leaseUntil: this.timeIn(0) },
    );
  }

  /** Stops a job that is not over; a worker that has it loses its lease. */
  async stop({ id }: BulkJob, endedAt: Date): Promise<void> {
    await this.jobs.update({ id, state: OPEN }, { state: 'stopped', endedAt, leaseToken: null });
  }

  /** Removes some of the jobs that ended before a moment. @returns how many */
  async removeEndedBefore(moment: Date): Promise<number> {
    const old = await this.jobs.find({
      select: { id: true },
      where: { endedAt: LessThan(moment) },
      take: REMOVED_AT_ONCE,
    });
    if (old.length > 0) await this.jobs.delete({ id: In(old.map(({ id }) => id)) });
    return old.length;
  }

  private withFreeLease(kind: JobKind): FindOptionsWhere<BulkJob>[] {
    const now = databaseTime(this.source.manager.dataSource);
    const over = Raw<Date>((column) => `${column} <= ${now}`);
    const ofKind = { exportFormId: kind === 'export' ? Not(IsNull()) : IsNull() };
    return [
      { ...ofKind, state: OPEN, leaseUntil: IsNull() },
      { ...ofKind, state: OPEN, leaseUntil: over },
    ];
  }

  private timeIn(seconds: number): () => string {
    return () => databaseTime(this.source.manager.dataSource, seconds);
  }
}

/** Returns the filter for jobs in a scope: an account sees all of its own, a client those made for it. */
function visibleTo({ accountId, clientId }: Scope) {
  return clientId === null ? { accountId } : { accountId, clientId };
}
