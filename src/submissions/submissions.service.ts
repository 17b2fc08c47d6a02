import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ReadStream } from 'node:fs';
import { FormQueries } from '../forms/form-queries.service.js';
import type { Principal, Scope } from '../accounts/access/principal.js';
import type { PrincipalEvent } from '../accounts/audit/audit-entry.entity.js';
import { AuditService } from '../accounts/audit/audit.service.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import { FilesService, type OpenedFile, type ImageType } from './files/files.service.js';
import type { SubmittedFile } from './files/submitted-file.entity.js';
import { mayChange } from '../forms/access/may-change.js';
import { FORM_TOPICS } from '../forms/model/form-changes.js';
import type { Form } from '../forms/model/form.entity.js';
import { SpamLessons } from '../spam/learning/spam-lessons.service.js';
import { Signals } from '../platform/signals/signals.js';
import { receivedAnew, SubmissionBatchesRepository } from './storage/received.js';
import { keyOf } from './rows/submission-ids.js';
import { Confirmations } from './confirmations/confirmations.service.js';
import { actsOfMoving, SubmissionActs, type ActOnMany } from './acts/submission-acts.service.js';
import { SubmissionNotFound } from './model/submission.errors.js';
import { submissionTarget } from './model/sample-submission.js';
import { Submission } from './model/submission.entity.js';
import { SubmissionsRepository, type SubmissionKey } from './rows/submissions.repository.js';
import { Trash } from './trash/trash.service.js';
import { VerdictsService } from './verdicts/verdicts.service.js';
import { FileNotFound } from './files/file.errors.js';

/** A submission with its form and its files. */
export interface SubmissionInFull {
  form: Form;
  submission: Submission;
  files: SubmittedFile[];
}

/** A submission whose scope was checked, without what was sent. */
export interface Located {
  form: Form;
  submission: SubmissionKey;
}

/** Shows and marks submissions. */
@Injectable()
export class SubmissionsService {
  constructor(
    private readonly submissions: SubmissionsRepository,
    private readonly forms: FormQueries,
    private readonly files: FilesService,
    private readonly batches: SubmissionBatchesRepository,
    private readonly deliveries: DeliveriesService,
    private readonly verdicts: VerdictsService,
    private readonly acts: SubmissionActs,
    private readonly trash: Trash,
    private readonly confirmations: Confirmations,
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
   * Checks that a submission is there for whoever asks, without reading it.
   * @throws FormNotFound, SubmissionNotFound
   */
  async locate(scope: Scope, identifier: string, id: Buffer | null): Promise<Located> {
    const form = await this.forms.get(scope, identifier);
    const submission = id && (await this.submissions.locate(form.id, id));
    if (!submission) throw new SubmissionNotFound();
    return { form, submission };
  }

  /**
   * Marks a submission as spam or not, or moves it to the trash or out of it; the counts follow. What was
   * withheld from one that is no spam is sent now, and who may change the form unlocks its infected files by that.
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
    await this.unitOfWork.run(async (tx) => {
      await this.markWithin(tx, principal, form.id, [id], marks);
      if (marks.spam === undefined || !mayChange(principal, form)) return;
      await this.files.unlock(tx, form.id, id, marks.spam ? null : this.unitOfWork.now());
    });
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
          await this.batches.in(tx).enqueue(receivedAnew(submission));
        }
        marked.push(submission.id);
        counted += Number(submission.isCounted) - Number(before);
      }
    }
    await this.trash.follow(tx, formId, acts);
    const restored = acts.filter(({ kind }) => kind === 'restored').flatMap(({ ids }) => ids);
    await this.confirmations.restored(tx, restored);
    await this.acts.record(tx, principal, formId, acts);
    await this.forms.addToCount(tx, formId, counted);
    const said = marks.spam ? 'spam' : 'ham';
    if (marks.spam !== undefined) await this.lessons.enqueue(tx, principal, formId, marked, said);
    return acts.flatMap((act) => act.ids);
  }

  /** @throws FormNotFound, SubmissionNotFound, FileNotFound, FileInfected */
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

  /** Returns submissions with their files, each in the order they were sent. */
  async withFiles(form: Form, submissions: Submission[]): Promise<SubmissionInFull[]> {
    const filesOf = await this.files.listByOwner(submissions.map(({ id }) => id));
    return submissions.map((submission) => ({ form, submission, files: filesOf(submission.id) }));
  }

  /** Reads submissions with their files, some at a time, in the order of the ids. */
  async *read(form: Form, ids: Buffer[]): AsyncGenerator<SubmissionInFull[]> {
    for await (const some of this.submissions.load(form.id, ids)) {
      yield await this.withFiles(form, some);
    }
  }

  /** Records that a client looked at what visitors sent; what the account itself looks at is its own. */
  private async recordLook(principal: Principal, event: PrincipalEvent): Promise<void> {
    if (principal.clientId !== null) await this.audit.recordAloneBy(principal, event);
  }

  /** Returns the ids of those of these files that can be shown, as hex digits. */
  async among(files: readonly SubmittedFile[]): Promise<Set<string>> {
    const shown = new Set<string>();
    for (const file of files) {
      if (shown.size === IMAGES_MAX) break;
      if ((await this.files.imageTypeOf(file)) !== null) shown.add(file.id.toString('hex'));
    }
    return shown;
  }

  /**
   * Opens a picture. A client that is not just looking at its submission has downloaded it, which is recorded.
   * @throws FormNotFound, SubmissionNotFound
   * @throws FileNotFound for every other file too
   */
  async open(
    principal: Principal,
    identifier: string,
    id: Buffer | null,
    fileId: Buffer | null,
    isPartOfLook: boolean,
  ): Promise<{ type: ImageType; bytes: ReadStream }> {
    const { form, submission, files } = await this.get(principal, identifier, id);
    const file = files.find((each) => fileId !== null && each.id.equals(fileId));
    const type = file ? await this.files.imageTypeOf(file) : null;
    if (!file || type === null) throw new FileNotFound();
    const { bytes } = await this.files.open(form.id, submission.id, file.id);
    if (principal.clientId !== null && !isPartOfLook) {
      const target = submissionTarget(form, submission.id);
      await this.audit.recordAloneBy(principal, { action: 'file.downloaded', target });
    }
    return { type, bytes };
  }
}

/** Pictures of one submission that are shown; the others are files to save, as all else is. */
const IMAGES_MAX = 12;
