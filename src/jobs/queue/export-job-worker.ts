import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Readable } from 'node:stream';
import {
  Hooks,
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  SECOND_MS,
  JobOf,
  type Turn,
  inPortions,
  BackgroundTask,
  type TaskRun,
  Config,
} from '../../platform/index.js';
import { UnitOfWork, runStatements } from '../../platform/database/index.js';
import { BulkJobsRepository } from './bulk-jobs.repository.js';
import { ExportStore, ExportService, type Export } from '../exports/export.service.js';
import { Projected, type Erased, type Forgotten, type Projection } from '../../forms/projections.js';
import { type Principal, MakerRights } from '../../accounts/access/index.js';
import { DeliveriesService } from '../../deliveries/deliveries.service.js';
import type { PlannedDelivery } from '../../deliveries/model/delivery.entity.js';
import { FilesUnavailable } from '../../submissions/files/file.errors.js';
import { FormQueries } from '../../forms/form-queries.service.js';
import { PeopleDirectory } from '../../triage/assignees/assignees.service.js';
import { exportFile } from '../exports/export-file.js';
import { FilterLines } from '../../search/lines/filter-lines.service.js';
import {
  ErasedMeanwhile,
  ExportDiskFull,
  ExportsFull,
  NoLongerAllowed,
} from '../../submissions/model/submission.errors.js';
import type { BulkJob } from './bulk-job.entity.js';

/** Hours that the file of an export is kept. */
const KEPT_HOURS = 24;

/** How often an export is written when something of its form is erased each time. */
const TRIES_MAX = 3;

/**
 * Writes exports into files. One that is broken off by a restart is begun anew by whoever claims it next, and one while
 * something of its form was erased at once. A file belongs to its job once the job is finished, while it was not lost; then
 * the person who asked for it is told by mail. Its file is removed when it expires, and once something that may be in it was
 * erased.
 */
@Injectable()
@Projected({ tables: [] })
export class ExportJobWorker implements Projection {
  constructor(
    private readonly jobs: BulkJobsRepository,
    private readonly exports: ExportService,
    private readonly store: ExportStore,
    private readonly filters: FilterLines,
    private readonly totals: FormQueries,
    private readonly hooks: Hooks,
    private readonly deliveries: DeliveriesService,
    private readonly unitOfWork: UnitOfWork,
    private readonly config: Config,
  ) {}

  /** Writes an export; it is broken off when the process stops. */
  @JobOf({ kind: 'export', everyMs: SECOND_MS })
  async work(turn: Turn): Promise<void> {
    const job = await this.unitOfWork.run((tx) => this.jobs.in(tx).begin(turn.job));
    if (!job) return;
    turn.tell = (tx) => this.jobs.in(tx).tell(job);
    for (let tries = 1; !(await this.write(job, turn)); tries++) {
      if (tries === TRIES_MAX) throw new ErasedMeanwhile();
    }
  }

  /** @returns false when it is to be written anew, since something of its form was erased meanwhile */
  private async write(job: BulkJob, { unwanted, keep }: Turn): Promise<boolean> {
    const erasures = job.exportFormId === null ? 0 : await this.totals.erasuresOf(job.exportFormId);
    const { layout, source, principal } = await this.sourceOf(job, unwanted);
    const rows = () => counted(source, job);
    const { content } = await exportFile({ ...source, rows }, layout, this.config.baseUrl);
    const file = await this.stored(job, content);
    job.finish(file, erasures, this.unitOfWork.now());
    const formId = source.form.id;
    const planned = await this.planMail(principal, formId);
    const end = await this.unitOfWork.run(async (tx) => {
      // What was erased meanwhile may be in the file.
      if ((await this.totals.lockErasures(tx, formId)) > erasures) return 'erased';
      if (!(await keep(tx)) || !(await this.jobs.in(tx).advance(job))) return 'lost';
      const entry = { formId, submissionId: null, planned };
      await runStatements(tx, this.deliveries.outboxInserts([entry]));
      return 'finished';
    });
    if (end === 'finished') this.deliveries.wakeWorker();
    else await this.store.remove(file.id);
    return end !== 'erased';
  }

  /** Writes a file, and flushes it. @throws ExportsFull, ExportDiskFull */
  private async stored({ accountId }: BulkJob, content: Readable | AsyncIterable<string | Buffer>) {
    const { maxAccountExportsBytes: max } = this.config.intake;
    let bytes = await this.jobs.fileBytesOf(accountId);
    try {
      const file = await this.store.receive(buffersOf(content), (more) => {
        bytes += more;
        if (bytes > max) throw new ExportsFull();
      });
      await this.store.keep(file);
      return file;
    } catch (error) {
      throw error instanceof FilesUnavailable ? new ExportDiskFull(error.cause) : error;
    }
  }

  /** Plans the mail to a person whose export is ready, at an address that is known to be theirs. */
  private async planMail(principal: Principal, formId: number): Promise<PlannedDelivery[]> {
    const { kind, id: maker } = principal.actor;
    if (kind !== 'person') return [];
    const people = await this.hooks.ask(PeopleDirectory).whoSees(principal, formId);
    return people
      .filter(({ id, isVerified }) => id === maker && isVerified)
      .map(({ email }) => ({ kind: 'export_ready', recipient: email }));
  }

  /** Opens the export as of when it was asked for, with the rights of now. @throws NoLongerAllowed */
  private async sourceOf(job: BulkJob, unwanted: AbortSignal) {
    const principal = await this.hooks.ask(MakerRights, job.maker);
    const task = job.export;
    const form = task && (await this.totals.find(task.formId));
    if (!principal?.may('export') || !form) throw new NoLongerAllowed();
    const { forms, filter } = await this.filters.readListed(principal, job.line, job.createdAt);
    if (!forms.some(({ id }) => id === form.id)) throw new NoLongerAllowed();
    const source = this.exports.open(form, filter, job.upTo, unwanted);
    return { layout: task.layout, source, principal };
  }

  /** Returns until when the file of an export that ended then is kept. */
  static expiryOf(endedAt: Date): Date {
    return new Date(endedAt.getTime() + KEPT_HOURS * HOUR_MS);
  }

  /** Removes all files of a form's exports once it is committed. None of them can be opened any more by then. */
  forget(_: EntityManager, { formId }: Erased): Promise<Forgotten> {
    if (formId === null) return Promise.resolve({});
    return Promise.resolve({ afterCommit: () => this.forgetForm(formId) });
  }

  async forgetForm(formId: number) {
    if (!(await this.jobs.hasFilesOf(formId))) return;
    // Not in turns with the background: this may be a part of a piece of it.
    while ((await this.removeSome((jobs) => jobs.forgetFilesOf(formId))) > 0);
  }

  /** Removes files that have expired, and what killed processes left behind. */
  @BackgroundTask('remove old exports', MINUTE_MS)
  async sweep({ now, signal }: TaskRun): Promise<void> {
    const ended = new Date(now.getTime() - KEPT_HOURS * HOUR_MS);
    await inPortions(() => this.removeSome((jobs) => jobs.forgetFilesBefore(ended)), signal);
    await inPortions(() => this.removeSome((jobs) => jobs.forgetOutdatedFiles()), signal);
    for await (const id of this.store.olderThan(new Date(now.getTime() - DAY_MS))) {
      if (signal?.aborted) return;
      if (!(await this.jobs.hasFile(id))) await this.store.remove(id);
    }
  }

  /** Removes some files, after the rows that name them. @returns how many */
  private async removeSome(forget: (jobs: BulkJobsRepository) => Promise<Buffer[]>) {
    const ids = await this.unitOfWork.run((tx: EntityManager) => forget(this.jobs.in(tx)));
    for (const id of ids) await this.store.remove(id);
    return ids.length;
  }
}

/** Counts the rows that are written. */
async function* counted(source: Export, job: BulkJob): ReturnType<Export['rows']> {
  job.done = 0;
  for await (const some of source.rows()) {
    job.done += some.length;
    yield some;
  }
}

async function* buffersOf(content: Readable | AsyncIterable<string | Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of content as AsyncIterable<string | Buffer>) {
    yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
  }
}
