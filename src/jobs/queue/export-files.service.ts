import { Injectable } from '@nestjs/common';
import { Hooks, Config, formatUuid, HOUR_MS, SigningService } from '../../platform/index.js';
import { type Principal, type Scope, type Actor, ActionForbidden, MakerRights } from '../../accounts/access/index.js';
import { MailOf, Readers } from '../../mail/mail-channel.js';
import { button, facts, noticeBy, paragraph } from '../../mail/parts/layout.js';
import { type Message, type SentBy, timeText } from '../../mail/parts/message.js';
import { LinkExpired } from '../../submissions/files/file.errors.js';
import type { Delivery } from '../../deliveries/model/delivery.entity.js';
import type { Form } from '../../forms/model/form.entity.js';
import { FormQueries } from '../../forms/form-queries.service.js';
import { UnitOfWork } from '../../platform/database/index.js';
import { PeopleDirectory } from '../../triage/assignees/assignees.service.js';
import { exportNaming } from '../exports/export-file.js';
import { ExportGone, JobNotFound } from '../../submissions/model/submission.errors.js';
import { BulkJob } from './bulk-job.entity.js';
import { BulkJobsRepository } from './bulk-jobs.repository.js';
import { ExportJobWorker } from './export-job-worker.js';
import { ExportStore } from '../exports/export.service.js';

/** Purpose that links are signed with: a link of another purpose opens no export. */
const LINK = 'export file';
/** Life of a link in milliseconds; a look at the job gives a new one. */
const LINK_TTL_MS = HOUR_MS;

/** The file of an export on disk; it never changes. */
interface OpenedExport {
  id: Buffer;
  path: string;
  name: string;
  /** Media type. */
  type: string;
  /** In bytes. */
  size: number;
}

/** Facts about the file of an export. */
export interface ExportFileFacts {
  size: number;
  expiresAt: Date;
  /** Last part of an address that opens it without a token, for an hour; null for whoever may not export. */
  link: string | null;
}

/** Opens the files of exports, and tells their readers of them. */
@Injectable()
export class ExportFiles {
  constructor(
    private readonly jobs: BulkJobsRepository,
    private readonly hooks: Hooks,
    private readonly store: ExportStore,
    private readonly lists: FormQueries,
    private readonly signing: SigningService,
    private readonly readers: Readers,
    private readonly config: Config,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Returns the form that a job exports; null when it exports none, or one that is not there or not in the scope. */
  async formOf(scope: Scope, { export: task }: BulkJob): Promise<Pick<Form, 'name' | 'identifier'> | null> {
    const [form] = task ? await this.lists.among(scope, [task.formId]) : [];
    return form ?? null;
  }

  /** Returns what is told of the file of a job; null when it has none. */
  async fileOf(principal: Principal, job: BulkJob): Promise<ExportFileFacts | null> {
    const { fileId, fileBytes, endedAt } = job;
    if (!fileId || fileBytes === null || !endedAt) return null;
    const expiresAt = ExportJobWorker.expiryOf(endedAt);
    const until = new Date(Math.min(expiresAt.getTime(), this.unitOfWork.now().getTime() + LINK_TTL_MS));
    const mayOpen = principal.may('export') && (await this.formOf(principal, job)) !== null;
    const { clientId, reader: actor } = principal;
    const isKnown = actor.kind === 'person' || actor.kind === 'token';
    const [jobId, file] = [job.id, fileId].map((id) => id.toString('hex'));
    const { kind, id } = actor;
    const payload = Buffer.from(JSON.stringify({ jobId, fileId: file, clientId, actor: { kind, id } }));
    const link = mayOpen && isKnown ? await this.signing.sign(LINK, payload, until) : null;
    return { size: fileBytes, expiresAt, link };
  }

  /**
   * Opens the file of a job for whoever may export its form.
   * @throws JobNotFound, ExportGone, ActionForbidden
   */
  async open(principal: Principal, id: Buffer | null): Promise<OpenedExport> {
    const job = id && (await this.jobs.find(principal, id));
    if (!job?.export) throw new JobNotFound();
    if (!principal.may('export')) throw new ActionForbidden('export');
    if (!(await this.formOf(principal, job))) throw new JobNotFound();
    return this.opened(job);
  }

  /**
   * @throws LinkExpired for a link that was altered or is too old, or whose reader may not export the form any more
   * @throws ExportGone
   */
  async openLink(text: string): Promise<OpenedExport> {
    const payload = await this.signing.verify(LINK, text, this.unitOfWork.now());
    if (!payload) throw new LinkExpired();
    const { jobId, fileId, clientId, actor } = JSON.parse(payload.toString()) as ExportLink;
    const job = await this.jobs.findById(Buffer.from(jobId, 'hex'));
    if (!job?.fileId?.equals(Buffer.from(fileId, 'hex'))) throw new ExportGone();
    const reader = await this.hooks.ask(MakerRights, { accountId: job.accountId, clientId, actor });
    if (!reader?.may('export')) throw new LinkExpired();
    // Of a deleted form `opened` says that it is gone, as it says to all.
    const form = job.export && (await this.lists.find(job.export.formId));
    if (form && !(await this.formOf(reader, job))) throw new LinkExpired();
    return this.opened(job);
  }

  @MailOf(['export_ready'])
  async mail(delivery: Delivery): Promise<Message | null> {
    const about = await this.readers.addressed(delivery);
    const job = about && (await this.findReady(about.form, delivery));
    return job && exportMail(about.form, job, about.by, delivery.recipient);
  }

  /**
   * Finds the export that a mail is to tell of: the last of its reader that had ended when the mail was planned.
   * @returns null when its file is gone, or its reader does not see the form any more
   */
  private async findReady(
    { id: formId, accountId }: Pick<Form, 'id' | 'accountId'>,
    { createdAt, recipient }: Pick<Delivery, 'createdAt' | 'recipient'>,
  ) {
    const directory = this.hooks.ask(PeopleDirectory);
    for (const job of await this.jobs.readyExportsOf(formId)) {
      const { kind, id } = job.maker.actor;
      if (kind !== 'person' || id === null || !job.endedAt || job.endedAt > createdAt) continue;
      const scope = { accountId, clientId: job.clientId };
      if ((await directory.byIds(scope, [id])).get(id)?.email !== recipient) continue;
      const seen = await directory.seenBy(scope, id, [formId]);
      return seen?.includes(formId) ? job : null;
    }
    return null;
  }

  private async opened({ export: task, fileId, fileBytes, endedAt, erasures }: BulkJob): Promise<OpenedExport> {
    const form = task && (await this.lists.find(task.formId));
    const isOver = !endedAt || ExportJobWorker.expiryOf(endedAt) <= this.unitOfWork.now();
    if (!form || !fileId || fileBytes === null || isOver) throw new ExportGone();
    if (erasures < (await this.lists.erasuresOf(form.id))) throw new ExportGone();
    if (!(await this.store.has(fileId))) throw new ExportGone();
    const { name, type } = exportNaming(form, task.layout, endedAt);
    return { id: fileId, path: this.store.pathOf(fileId), name, type, size: fileBytes };
  }
}

/** Names the file that a link to an export opens, and who was shown it, for whose rights it stands. */
interface ExportLink {
  jobId: string;
  fileId: string;
  clientId: number | null;
  actor: Pick<Actor, 'kind' | 'id'>;
}

/** Writes the mail that tells a person that the file of their export can be loaded, where they are signed in. */
function exportMail(form: Form, { id, line, done, endedAt }: BulkJob, by: SentBy, to: string) {
  if (!endedAt) return null;
  return noticeBy(by, to, {
    subject: `Your export is ready: ${form.name}`,
    blocks: [
      paragraph('Your file is ready to download.'),
      facts([
        { label: 'Form', text: form.name },
        ...(line === '' ? [] : [{ label: 'Filter', text: line }]),
        { label: 'Submissions', text: done.toLocaleString('en') },
        { label: 'Available until', text: timeText(ExportJobWorker.expiryOf(endedAt)) },
      ]),
      button('Open export', `${by.baseUrl}/jobs/${formatUuid(id)}`),
    ],
  });
}
