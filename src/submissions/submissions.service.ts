import { Injectable } from '@nestjs/common';
import type { Scope } from '../access/principal.js';
import { runStatements } from '../platform/database/statement.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import type { PlannedDelivery } from '../deliveries/delivery.entity.js';
import { FilesService, type OpenedFile } from '../files/files.service.js';
import type { SubmittedFile } from '../files/submitted-file.entity.js';
import type { Form } from '../forms/form.entity.js';
import { FormsService } from '../forms/forms.service.js';
import { NotificationPlanner } from '../notifications/notification-planner.js';
import type { SubmissionFilter, PagePosition } from './submission-filter.js';
import { SubmissionIds, type PageOfIds } from './submission-ids.js';
import { SubmissionNotFound } from './submission.errors.js';
import { Submission } from './submission.entity.js';
import { SubmissionsRepository, type FormCount } from './submissions.repository.js';
import { digestsOf } from './values/value-digests.js';
import { ValueIndex } from './values/value-index.js';

/** Most submissions removed by one transaction. */
const REMOVE_BATCH_ROWS = 200;
/** Latest spam that is scanned for a warning. */
const RECENT_SPAM_ROWS = 50;

/** A submission with its form and its files. */
export interface SubmissionInFull {
  form: Form;
  submission: Submission;
  files: SubmittedFile[];
}

/** A page of submissions, newest first, and the number on all pages. */
export interface SubmissionPage extends PageOfIds {
  form: Form;
  total: number;
  /** Reads the submissions of the page, some at a time. */
  submissions: () => AsyncGenerator<SubmissionInFull[]>;
}

/** Lists, shows, marks and removes submissions. */
@Injectable()
export class SubmissionsService {
  constructor(
    private readonly submissions: SubmissionsRepository,
    private readonly ids: SubmissionIds,
    private readonly forms: FormsService,
    private readonly files: FilesService,
    private readonly values: ValueIndex,
    private readonly deliveries: DeliveriesService,
    private readonly planner: NotificationPlanner,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Returns a submission of a form whose scope was checked already; null when it has no such submission. */
  find(formId: number, id: Buffer): Promise<Submission | null> {
    return this.submissions.find(formId, id);
  }

  /** Returns a submission with its files, of a form whose scope was checked already; null for none. */
  async findInFull(
    formId: number,
    id: Buffer,
  ): Promise<Pick<SubmissionInFull, 'submission' | 'files'> | null> {
    const submission = await this.submissions.find(formId, id);
    return submission && { submission, files: await this.files.listFor([submission.id]) };
  }

  /** @throws FormNotFound */
  async list(
    scope: Scope,
    identifier: string,
    filter: SubmissionFilter,
    position: PagePosition,
  ): Promise<SubmissionPage> {
    const form = await this.forms.get(scope, identifier);
    const page = await this.page(form.id, filter, position);
    return { ...page, form, submissions: () => this.inFull(form, page.ids) };
  }

  /** @throws FormNotFound, SubmissionNotFound */
  async get(scope: Scope, identifier: string, id: Buffer | null): Promise<SubmissionInFull> {
    const form = await this.forms.get(scope, identifier);
    const submission = id && (await this.submissions.find(form.id, id));
    if (!submission) throw new SubmissionNotFound();
    return { form, submission, files: await this.files.listFor([submission.id]) };
  }

  /**
   * Marks a submission as spam or not, or moves it to the trash or out of it; the count follows. One that was
   * spam from the start and no longer is gets its deliveries now.
   * @throws FormNotFound, SubmissionNotFound
   */
  async mark(
    scope: Scope,
    identifier: string,
    id: Buffer | null,
    marks: { spam?: boolean; trash?: boolean },
  ): Promise<SubmissionInFull> {
    const form = await this.forms.get(scope, identifier);
    await this.unitOfWork.run(async (tx) => {
      await this.forms.lockCount(tx, form.id);
      const submission = id && (await this.submissions.in(tx).find(form.id, id));
      if (!submission) throw new SubmissionNotFound();
      const { isCounted: counted, wasSpamOnArrival } = submission;
      submission.mark(marks);
      await this.submissions.in(tx).save(submission);
      if (wasSpamOnArrival && !submission.spam) {
        const planned = await this.planner.plan(form, submission.values);
        const entry = { formId: form.id, submissionId: submission.id, planned };
        await runStatements(tx, this.deliveries.outboxInserts([entry]));
      }
      await this.forms.addToCount(tx, form.id, Number(submission.isCounted) - Number(counted));
    });
    this.deliveries.wakeWorker();
    return this.get(scope, identifier, id);
  }

  /** Returns what goes out when a submission is taken back from spam; nothing for what went out before. */
  async plannedOnRestore({ form, submission }: SubmissionInFull): Promise<PlannedDelivery[]> {
    return submission.wasSpamOnArrival ? this.planner.plan(form, submission.values) : [];
  }

  /** @throws FormNotFound, SubmissionNotFound */
  async delete(scope: Scope, identifier: string, id: Buffer | null): Promise<void> {
    const form = await this.forms.get(scope, identifier);
    const removed = id ? await this.removeAll(form.id, [id]) : 0;
    if (removed === 0) throw new SubmissionNotFound();
  }

  /**
   * Tells whether the value was submitted in this field, not counting spam and the trash.
   * @throws FormNotFound
   */
  async valueExists(
    scope: Scope,
    identifier: string,
    name: string,
    text: string,
  ): Promise<boolean> {
    const form = await this.forms.get(scope, identifier);
    for await (const submission of this.values.find(form.id, name, text)) {
      if (submission.isCounted) return true;
    }
    return false;
  }

  /**
   * Removes every submission, spam and trash too, with this value in this field.
   * @returns how many
   * @throws FormNotFound
   */
  async erase(scope: Scope, identifier: string, name: string, text: string): Promise<number> {
    const form = await this.forms.get(scope, identifier);
    const ids: Buffer[] = [];
    for await (const { id } of this.values.find(form.id, name, text)) ids.push(id);
    return this.removeAll(form.id, ids);
  }

  /** @throws FormNotFound, SubmissionNotFound, FileNotFound */
  async openFile(
    scope: Scope,
    identifier: string,
    id: Buffer | null,
    fileId: Buffer | null,
  ): Promise<OpenedFile> {
    const { form, submission } = await this.get(scope, identifier, id);
    return this.files.open(form.id, submission.id, fileId ?? Buffer.alloc(0));
  }

  /** Returns the origins for which the latest spam of a form since `from` was taken for it; each once. */
  async refusedOrigins(formId: number, from: Date): Promise<string[]> {
    const filter = { spam: true, trash: false, from, to: null, query: null };
    const window = { page: 1, perPage: RECENT_SPAM_ROWS, before: null, after: null };
    const { ids } = await this.ids.page(formId, filter, window, RECENT_SPAM_ROWS);
    return this.submissions.refusedOriginsOf(ids);
  }

  /**
   * Removes the oldest submissions that the filter selects, in small transactions.
   * @returns how many; 0 when none are left
   */
  async removeOldest(formId: number, filter: SubmissionFilter): Promise<number> {
    return this.removeAll(formId, await this.ids.oldest(formId, filter, REMOVE_BATCH_ROWS));
  }

  /** Returns the number of forms, and those whose stored count is wrong. */
  async compareCounts(): Promise<{ forms: number; wrong: FormCount[] }> {
    let forms = 0;
    const wrong: FormCount[] = [];
    for await (const form of this.submissions.countsByForm()) {
      forms++;
      if (form.counted !== form.there) wrong.push(form);
    }
    return { forms, wrong };
  }

  /** Returns submissions with their files, each in the order they were sent. */
  async withFiles(form: Form, submissions: Submission[]): Promise<SubmissionInFull[]> {
    const files = await this.files.listFor(submissions.map(({ id }) => id));
    return submissions.map((submission) => ({
      form,
      submission,
      files: files.filter(({ submissionId }) => submissionId.equals(submission.id)),
    }));
  }

  private async page(
    formId: number,
    filter: SubmissionFilter,
    position: PagePosition,
  ): Promise<PageOfIds & { total: number }> {
    if (filter.query !== null) return this.ids.search(formId, filter, position);
    const total = await this.submissions.count(formId, filter);
    return { ...(await this.ids.page(formId, filter, position, total)), total };
  }

  private async *inFull(form: Form, ids: Buffer[]): AsyncGenerator<SubmissionInFull[]> {
    for await (const some of this.submissions.load(form.id, ids)) {
      yield await this.withFiles(form, some);
    }
  }

  /** Removes submissions in transactions of a limited size; others get a turn after each. */
  private async removeAll(formId: number, ids: Buffer[]): Promise<number> {
    let removed = 0;
    for await (const some of this.submissions.load(formId, ids)) {
      removed += await this.remove(formId, some);
    }
    return removed;
  }

  private async remove(formId: number, submissions: Submission[]): Promise<number> {
    const entries = submissions.map(({ id, values }) => ({ id, digests: digestsOf(values) }));
    const { removed, files } = await this.unitOfWork.run(async (tx) => {
      const ids = entries.map(({ id }) => id);
      const { removed, counted } = await this.submissions.in(tx).remove(ids);
      await this.values.forget(tx, formId, entries);
      await this.deliveries.forget(tx, ids);
      const files = await this.files.forget(tx, ids);
      // Last, since the form's visitors wait for its row until the commit.
      if (counted > 0) await this.forms.addToCount(tx, formId, -counted);
      return { removed, files };
    });
    await this.files.removeBytes(files);
    return removed;
  }
}
