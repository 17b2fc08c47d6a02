import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Scope } from '../access/principal.js';
import { runAll } from '../database/statement.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import { FilesService, type OpenedFile } from '../files/files.service.js';
import type { SubmittedFile } from '../files/submitted-file.entity.js';
import type { Form } from '../forms/form.entity.js';
import { FormsService } from '../forms/forms.service.js';
import { Debts } from './debts.js';
import {
  foldersOf,
  meansFolders,
  type SubmissionFilter,
  type Window,
} from './submission-filter.js';
import { SubmissionNotFound } from './submission.errors.js';
import { Submission } from './submission.entity.js';
import { SubmissionsRepository, type FormCount } from './submissions.repository.js';
import { ValueIndex } from './value-index.js';

/** Submissions that are removed in one transaction. */
const REMOVE_AT_ONCE = 200;
/** Latest spam that is looked through for a warning. */
const SPAM_LOOKED_AT = 50;

/** A submission with its form and its files. */
export interface SubmissionInFull {
  form: Form;
  submission: Submission;
  files: SubmittedFile[];
}

/** A page of submissions, newest first, and how many there are in all. */
export interface SubmissionPage {
  form: Form;
  submissions: SubmissionInFull[];
  total: number;
}

/** Lists, shows, files and removes what was submitted. */
@Injectable()
export class SubmissionsService {
  constructor(
    private readonly submissions: SubmissionsRepository,
    private readonly forms: FormsService,
    private readonly files: FilesService,
    private readonly values: ValueIndex,
    private readonly deliveries: DeliveriesService,
    private readonly debts: Debts,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** For those who know a form already: null when it has no such submission. */
  find(formId: number, id: Buffer): Promise<Submission | null> {
    return this.submissions.find(formId, id);
  }

  /** @throws FormNotFound */
  async list(
    scope: Scope,
    identifier: string,
    filter: SubmissionFilter,
    window: Window,
  ): Promise<SubmissionPage> {
    const form = await this.forms.get(scope, identifier);
    const { found, total } = await this.page(form, filter, window);
    return { form, submissions: await this.withFiles(form, found), total };
  }

  /** @throws FormNotFound, SubmissionNotFound */
  async get(scope: Scope, identifier: string, id: Buffer | null): Promise<SubmissionInFull> {
    const form = await this.forms.get(scope, identifier);
    const submission = id && (await this.submissions.find(form.id, id));
    if (!submission) throw new SubmissionNotFound();
    return { form, submission, files: await this.files.listFor([submission.id]) };
  }

  /**
   * Takes a submission for spam or not, and to the trash or out of it; the count follows. What is
   * taken back from spam owes now what it would have owed at first.
   * @throws FormNotFound, SubmissionNotFound
   */
  async file(
    scope: Scope,
    identifier: string,
    id: Buffer | null,
    marks: { spam?: boolean; trash?: boolean },
  ): Promise<SubmissionInFull> {
    const form = await this.forms.get(scope, identifier);
    await this.unitOfWork.run(async (tx) => {
      await this.forms.holdCount(tx, form.id);
      const submission = id && (await this.submissions.in(tx).find(form.id, id));
      if (!submission) throw new SubmissionNotFound();
      const { counts: counted, arrivedAsSpam } = submission;
      submission.file(marks);
      await this.submissions.in(tx).save(submission);
      if (arrivedAsSpam && !submission.spam) {
        const debts = await this.debts.of(form, submission.values);
        const owed = { formId: form.id, submissionId: submission.id, debts };
        await runAll(tx, this.deliveries.owing([owed]));
      }
      await this.forms.addToCount(tx, form.id, Number(submission.counts) - Number(counted));
    });
    this.deliveries.announce();
    return this.get(scope, identifier, id);
  }

  /** @throws FormNotFound, SubmissionNotFound */
  async delete(scope: Scope, identifier: string, id: Buffer | null): Promise<void> {
    const form = await this.forms.get(scope, identifier);
    const removed = id ? await this.remove(form.id, [id]) : 0;
    if (removed === 0) throw new SubmissionNotFound();
  }

  /**
   * Whether the value was submitted in this field, not counting spam and the trash.
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
      if (submission.counts) return true;
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

  /** Where the latest spam of a form came from since `from`, as far as browsers said; each once. */
  async originsOfSpam(formId: number, from: Date): Promise<string[]> {
    const filter = { spam: true, trash: false, from, to: null, query: null };
    const window = { page: 1, perPage: SPAM_LOOKED_AT, before: null, after: null };
    const found = await this.submissions.page(formId, filter, window, SPAM_LOOKED_AT);
    return [...new Set(found.flatMap(({ origin }) => origin ?? []))];
  }

  /**
   * Removes the oldest submissions that the filter means, in one small transaction.
   * @returns how many; 0 when there are none left
   */
  async removeOldest(formId: number, filter: SubmissionFilter): Promise<number> {
    return this.remove(formId, await this.submissions.oldest(formId, filter, REMOVE_AT_ONCE));
  }

  /** How many forms there are, and those whose count is not what they have. */
  async compareCounts(): Promise<{ forms: number; wrong: FormCount[] }> {
    let forms = 0;
    const wrong: FormCount[] = [];
    for await (const form of this.submissions.counts()) {
      forms++;
      if (form.counted !== form.there) wrong.push(form);
    }
    return { forms, wrong };
  }

  /** Files with their submissions, each submission's in the order they were sent. */
  async withFiles(form: Form, submissions: Submission[]): Promise<SubmissionInFull[]> {
    const files = await this.files.listFor(submissions.map(({ id }) => id));
    return submissions.map((submission) => ({
      form,
      submission,
      files: files.filter(({ submissionId }) => submissionId.equals(submission.id)),
    }));
  }

  private async page(form: Form, filter: SubmissionFilter, window: Window) {
    if (filter.query !== null) return this.submissions.search(form.id, filter, window);
    const total = await this.count(form, filter);
    return { found: await this.submissions.page(form.id, filter, window, total), total };
  }

  /** The largest folder is counted already. */
  private async count(form: Form, filter: SubmissionFilter): Promise<number> {
    const folders = foldersOf(filter);
    if (!meansFolders(filter)) return this.submissions.count(form.id, filter, folders);
    const others = folders.filter(({ spam, trash }) => spam || trash);
    const counted = others.length < folders.length ? form.submissionCount : 0;
    return counted + (await this.submissions.count(form.id, filter, others));
  }

  private async removeAll(formId: number, ids: Buffer[]): Promise<number> {
    let removed = 0;
    for (let from = 0; from < ids.length; from += REMOVE_AT_ONCE) {
      removed += await this.remove(formId, ids.slice(from, from + REMOVE_AT_ONCE));
    }
    return removed;
  }

  private async remove(formId: number, ids: Buffer[]): Promise<number> {
    if (ids.length === 0) return 0;
    const { removed, files } = await this.unitOfWork.run((tx) => this.removeIn(tx, formId, ids));
    await this.files.removeBytes(files);
    return removed;
  }

  private async removeIn(tx: EntityManager, formId: number, ids: Buffer[]) {
    await this.forms.holdCount(tx, formId);
    const found = await this.submissions.in(tx).lockAmong(formId, ids);
    const foundIds = found.map(({ id }) => id);
    await this.submissions.in(tx).remove(foundIds);
    await this.values.remove(tx, found);
    await this.deliveries.forget(tx, foundIds);
    const files = await this.files.forget(tx, foundIds);
    await this.forms.addToCount(tx, formId, -found.filter(({ counts }) => counts).length);
    return { removed: found.length, files };
  }
}
