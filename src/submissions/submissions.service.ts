import { Injectable } from '@nestjs/common';
import type { ReadStream } from 'node:fs';
import { FormQueries } from '../forms/form-queries.service.js';
import type { Principal, Scope } from '../accounts/access/index.js';
import type { PrincipalEvent } from '../accounts/audit/audit-entry.entity.js';
import { AuditService } from '../accounts/audit/audit.service.js';
import { FilesService, type OpenedFile, type ImageType } from './files/files.service.js';
import type { SubmittedFile } from './files/submitted-file.entity.js';
import type { Form } from '../forms/model/form.entity.js';
import { SubmissionNotFound } from './model/submission.errors.js';
import { submissionTarget } from './model/sample-submission.js';
import { Submission } from './model/submission.entity.js';
import { SubmissionsRepository, type SubmissionKey } from './rows/submissions.repository.js';
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

/** Shows submissions and opens their files. */
@Injectable()
export class SubmissionsService {
  constructor(
    private readonly submissions: SubmissionsRepository,
    private readonly forms: FormQueries,
    private readonly files: FilesService,
    private readonly audit: AuditService,
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
  async show(principal: Principal, identifier: string, id: Buffer | null): Promise<SubmissionInFull> {
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

  /** @throws FormNotFound, SubmissionNotFound, FileNotFound, FileInfected */
  async openFile(
    principal: Principal,
    identifier: string,
    id: Buffer | null,
    fileId: Buffer | null,
  ): Promise<OpenedFile> {
    const { form, submission } = await this.get(principal, identifier, id);
    const opened = await this.files.open(form.id, submission.id, fileId ?? Buffer.alloc(0));
    await this.recordLook(principal, { action: 'file.downloaded', target: submissionTarget(form, submission.id) });
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
  private async recordLook(principal: Principal, event: PrincipalEvent) {
    if (principal.clientId !== null) await this.audit.recordAloneBy(principal, event);
  }

  /** Returns the ids of the files that can be shown, as hex digits. */
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
    if (!isPartOfLook) {
      const target = submissionTarget(form, submission.id);
      await this.recordLook(principal, { action: 'file.downloaded', target });
    }
    return { type, bytes };
  }
}

/** Pictures of one submission that are shown; the others are files to save, as all else is. */
const IMAGES_MAX = 12;
