import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Principal, Scope } from '../access/principal.js';
import type { PrincipalEvent } from '../audit/audit-entry.entity.js';
import { AuditService } from '../audit/audit.service.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import { FilesService, type OpenedFile } from '../files/files.service.js';
import type { SubmittedFile } from '../files/submitted-file.entity.js';
import { FORM_TOPICS } from '../forms/form-topics.js';
import type { Form } from '../forms/form.entity.js';
import { FormsService } from '../forms/forms.service.js';
import { SpamLessons } from '../spam/learning/spam-lessons.service.js';
import { EVERYTHING, type SubmissionFilter, type PagePosition } from './submission-filter.js';
import { InboxRepository } from './inbox.repository.js';
import { SubmissionIds } from './submission-ids.js';
import { Signals } from '../platform/signals/signals.js';
import { FROM_NEWEST } from './search/submission-walk.js';
import { PageSearch, type WalkedPage } from './search/page-search.js';
import { receivedAnew } from './statistics/received.js';
import { SubmissionCountsRepository } from './statistics/submission-counts.repository.js';
import { keyOf } from './byte-pieces.js';
import { actsOfMoving } from './timeline/acts-of-marks.js';
import { SubmissionActs, type ActOnMany } from './timeline/submission-acts.service.js';
import { SubmissionNotFound } from './submission.errors.js';
import { Submission } from './submission.entity.js';
import { submissionTarget } from './submission-target.js';
import { SubmissionsRepository } from './submissions.repository.js';
import { VerdictsService } from './verdicts/verdicts.service.js';
import { valueLookup } from './values/value-digests.js';
import { ValueIndex } from './values/value-index.js';

/** Latest spam that is scanned for a warning. */
const RECENT_SPAM_ROWS = 50;

/** A submission with its form and its files. */
export interface SubmissionInFull {
  form: Form;
  submission: Submission;
  files: SubmittedFile[];
}

/** A page of submissions, newest first, and the number on all pages. */
export interface SubmissionPage extends WalkedPage {
  form: Form;
  /** Reads the submissions of the page, some at a time. */
  submissions: () => AsyncGenerator<SubmissionInFull[]>;
}

/** Lists, shows and marks submissions. */
@Injectable()
export class SubmissionsService {
  constructor(
    private readonly submissions: SubmissionsRepository,
    private readonly ids: SubmissionIds,
    private readonly inbox: InboxRepository,
    private readonly search: PageSearch,
    private readonly forms: FormsService,
    private readonly files: FilesService,
    private readonly values: ValueIndex,
    private readonly counts: SubmissionCountsRepository,
    private readonly deliveries: DeliveriesService,
    private readonly verdicts: VerdictsService,
    private readonly acts: SubmissionActs,
    private readonly lessons: SpamLessons,
    private readonly audit: AuditService,
    private readonly unitOfWork: UnitOfWork,
    private readonly signals: Signals,
  ) {}

  /** Returns a submission of a form whose scope was checked already; null when it has no such submission. */
  find(formId: number, id: Buffer): Promise<Submission | null> {
    return this.submissions.find(formId, id);
  }

  /** Returns a submission with its files, of a form whose scope was checked already; null for none. */
  async findInFull(form: Form, id: Buffer): Promise<SubmissionInFull | null> {
    const submission = await this.submissions.find(form.id, id);
    return submission && { form, submission, files: await this.files.listFor([submission.id]) };
  }

  /**
   * @param unwanted breaks a search off, with its reason
   * @throws FormNotFound, SearchUnderWay, SearchesBusy
   */
  async list(
    principal: Principal,
    identifier: string,
    filter: SubmissionFilter,
    position: PagePosition,
    unwanted?: AbortSignal,
  ): Promise<SubmissionPage> {
    const form = await this.forms.get(principal, identifier);
    const page = await this.search.page(principal, form.id, filter, position, unwanted);
    return { ...page, form, submissions: () => this.inFull(form, page.ids) };
  }

  /**
   * Shows a submission to whoever asks; a look by a client is recorded.
   * @throws FormNotFound, SubmissionNotFound
   */
  async show(
    principal: Principal,
    identifier: string,
    id: Buffer | null,
  ): Promise<SubmissionInFull> {
    const found = await this.get(principal, identifier, id);
    const target = submissionTarget(found.form, found.submission.id);
    await this.recordLook(principal, { action: 'submission.viewed', target });
    return found;
  }

  /** @throws FormNotFound, SubmissionNotFound */
  async get(scope: Scope, identifier: string, id: Buffer | null): Promise<SubmissionInFull> {
    const form = await this.forms.get(scope, identifier);
    const found = id && (await this.findInFull(form, id));
    if (!found) throw new SubmissionNotFound();
    return found;
  }

  /**
   * Marks a submission as spam or not, or moves it to the trash or out of it; the counts follow. What was
   * withheld from one that is no spam is sent now.
   * @throws FormNotFound, SubmissionNotFound; MissingRight for who may not see what is returned
   */
  async mark(
    principal: Principal,
    identifier: string,
    id: Buffer | null,
    marks: { spam?: boolean; trash?: boolean },
  ): Promise<SubmissionInFull> {
    principal.assertHas('submissions:read');
    const form = await this.forms.get(principal, identifier);
    if (!id) throw new SubmissionNotFound();
    await this.unitOfWork.run((tx) => this.markWithin(tx, principal, form.id, [id], marks));
    this.signals.give(FORM_TOPICS.changed, form.id);
    this.deliveries.wakeWorker();
    return this.get(principal, identifier, id);
  }

  /**
   * Does the same to several submissions of a form whose scope was checked already, within a transaction; the
   * worker of deliveries is to be woken after it.
   * @returns those of the form that were not so before, each once for every change
   */
  async markWithin(
    tx: EntityManager,
    principal: Principal,
    formId: number,
    ids: readonly Buffer[],
    marks: { spam?: boolean; trash?: boolean },
  ): Promise<Buffer[]> {
    await this.forms.lockCount(tx, formId);
    const form = await this.forms.find(formId, tx);
    // Nobody has said of what is held that it is no spam.
    const held = await this.verdicts.heldAmong(marks.spam === false ? ids : [], tx);
    const marked: Buffer[] = [];
    const acts: ActOnMany[] = [];
    let counted = 0;
    for await (const some of this.submissions.in(tx).load(formId, ids)) {
      for (const submission of some) {
        const { isCounted: before, wasSpamOnArrival, spam: wasSpam } = submission;
        const was = { spam: wasSpam || held.has(keyOf(submission.id)), trash: submission.trash };
        acts.push(...actsOfMoving(submission.id, was, marks));
        submission.mark(marks);
        await this.submissions.in(tx).save(submission);
        if (form && marks.spam !== undefined) {
          await this.verdicts.follow(tx, form, submission, { spam: wasSpam, wasSpamOnArrival });
        }
        if (submission.spam !== wasSpam) {
          await this.counts.in(tx).enqueue(receivedAnew(submission));
        }
        marked.push(submission.id);
        counted += Number(submission.isCounted) - Number(before);
      }
    }
    await this.acts.record(tx, principal, formId, acts);
    await this.forms.addToCount(tx, formId, counted);
    const said = marks.spam ? 'spam' : 'ham';
    if (marks.spam !== undefined) await this.lessons.enqueue(tx, principal, formId, marked, said);
    return acts.flatMap((act) => act.ids);
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
    for await (const submission of this.values.find(form.id, valueLookup(name, text))) {
      if (submission.isCounted) return true;
    }
    return false;
  }

  /** @throws FormNotFound, SubmissionNotFound, FileNotFound */
  async openFile(
    principal: Principal,
    identifier: string,
    id: Buffer | null,
    fileId: Buffer | null,
  ): Promise<OpenedFile> {
    const { form, submission } = await this.get(principal, identifier, id);
    const opened = await this.files.open(form.id, submission.id, fileId ?? Buffer.alloc(0));
    await this.recordLook(principal, {
      action: 'file.downloaded',
      target: submissionTarget(form, submission.id),
    });
    return opened;
  }

  /**
   * Returns the origins for which the latest spam of these forms since `from` was taken for it, each once, by the form;
   * without forms that have no spam since.
   */
  async refusedOrigins(formIds: readonly number[], from: Date): Promise<Map<number, string[]>> {
    const filter = { ...EVERYTHING, spam: true, trash: false, from };
    const window = { page: 1, perPage: RECENT_SPAM_ROWS, before: null, after: null };
    const refused = new Map<number, string[]>();
    const first = await this.inbox.firstOfEach(formIds, filter, 'DESC', FROM_NEWEST);
    for (const formId of first.keys()) {
      const { ids } = await this.ids.page(formId, filter, window, RECENT_SPAM_ROWS);
      refused.set(formId, await this.submissions.refusedOriginsOf(ids));
    }
    return refused;
  }

  /** Returns submissions with their files, each in the order they were sent. */
  async withFiles(form: Form, submissions: Submission[]): Promise<SubmissionInFull[]> {
    const filesOf = await this.files.listByOwner(submissions.map(({ id }) => id));
    return submissions.map((submission) => ({ form, submission, files: filesOf(submission.id) }));
  }

  private async *inFull(form: Form, ids: Buffer[]): AsyncGenerator<SubmissionInFull[]> {
    for await (const some of this.submissions.load(form.id, ids)) {
      yield await this.withFiles(form, some);
    }
  }

  /** Records that a client looked at what visitors sent; what the account itself looks at is its own. */
  private async recordLook(principal: Principal, event: PrincipalEvent): Promise<void> {
    if (principal.clientId !== null) await this.audit.recordAloneBy(principal, event);
  }
}
