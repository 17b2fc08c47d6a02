import { Injectable } from '@nestjs/common';
import { In, IsNull, LessThan, Not, Raw, type FindOptionsWhere } from 'typeorm';
import type { Scope } from '../../accounts/access/index.js';
import { databaseTime, Jobs, type Job, visibleTo, TransactionalRepository } from '../../platform/database/index.js';
import { TooManyJobs } from '../../submissions/model/submission.errors.js';
import { BulkJob, NEVER, OPEN_STATES } from './bulk-job.entity.js';

/** Most jobs of an account, or of one of its clients, that are under way at once. */
const OPEN_MAX = 20;
/** Jobs that one statement removes. */
const REMOVED_AT_ONCE = 200;
/** Exports with a file that a mail is looked for among. */
const READY_MAX = 100;
const OPEN = In([...OPEN_STATES]);

/** Reads and writes jobs that change submissions or export them; each has a job of the platform while it is open. */
@Injectable()
export class BulkJobsRepository extends TransactionalRepository {
  private readonly rows = this.rowsOf(BulkJob);
  private readonly jobs = new Jobs(this.source);

  /** @throws TooManyJobs when so many of its maker are under way */
  async insert(job: BulkJob) {
    if ((await this.countOpen(job)) >= OPEN_MAX) throw new TooManyJobs(OPEN_MAX);
    await this.rows.insert(job);
    await this.jobs.add([job.jobOf(job.kind)]);
  }

  /** Adds the jobs that an instance of the version before made, and works on no more. */
  async adopt() {
    const overdue = Raw<Date>((column) => `${column} < ${databaseTime(this.source.manager.dataSource)}`);
    for (const formerLeaseUntil of [IsNull(), overdue]) {
      for (const job of await this.rows.findBy({ state: OPEN, formerLeaseUntil })) {
        await this.rows.update({ id: job.id }, { formerLeaseUntil: NEVER, formerLeaseToken: null });
        await this.jobs.add([job.jobOf(job.kind)]);
      }
    }
  }

  /** Begins or goes on with what a job is about; null when that is over. */
  async begin({ subject }: Pick<Job, 'subject'>): Promise<BulkJob | null> {
    const id = Buffer.from(subject, 'hex');
    await this.rows.update({ id, state: 'waiting' }, { state: 'running' });
    return this.rows.findOneBy({ id, state: 'running' });
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

  private countOpen(scope: Scope) {
    return this.rows.countBy({ ...visibleTo(scope), state: OPEN });
  }

  /** Stores how far a job is. @returns false when it was stopped */
  async advance(job: BulkJob) {
    const { id, state, position, done, changed, errorCode, errorMessage, endedAt } = job;
    const { fileId, fileBytes, erasures } = job;
    const ended = { errorCode, errorMessage, endedAt, fileId, fileBytes, erasures };
    const values = { state, position, done, changed, ...ended };
    return (await this.rows.update({ id, state: OPEN }, values)).affected !== 0;
  }

  /** Tells how far an export is. */
  async tell({ id, done }: BulkJob) {
    await this.rows.update({ id, state: 'running' }, { done });
  }

  /** Adds to what a job has changed, in the transaction that changes it. */
  async addChanged({ id }: BulkJob, count: number) {
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
  async fileBytesOf(accountId: number) {
    const [row] = await this.source.manager.query<{ bytes: number | string }[]>(
      `SELECT COALESCE(SUM(file_bytes), 0) AS bytes FROM bulk_jobs
        WHERE account_id = ? AND file_id IS NOT NULL`,
      [accountId],
    );
    return Number(row?.bytes ?? 0);
  }

  /** Tells whether an export of the form has a file. */
  hasFilesOf(formId: number) {
    return this.rows.existsBy({ exportFormId: formId, fileId: Not(IsNull()) });
  }

  /** Tells whether an export has the file. */
  hasFile(id: Buffer) {
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

  private async forgetFiles(where: FindOptionsWhere<BulkJob>) {
    const found = await this.rows.find({
      select: { id: true, fileId: true },
      where: { ...where, fileId: Not(IsNull()) },
      take: REMOVED_AT_ONCE,
    });
    if (found.length === 0) return [];
    await this.rows.update({ id: In(found.map(({ id }) => id)) }, { fileId: null });
    return found.flatMap(({ fileId }) => fileId ?? []);
  }

  /** Stops a job that is not over; a worker that has it loses it. */
  async stop(job: BulkJob, endedAt: Date) {
    await this.jobs.remove(job.jobOf(job.kind));
    await this.rows.update({ id: job.id, state: OPEN }, { state: 'stopped', endedAt });
  }
}
