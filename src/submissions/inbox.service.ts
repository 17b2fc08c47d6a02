import { Injectable } from '@nestjs/common';
import type { Scope } from '../access/principal.js';
import { FilesService } from '../files/files.service.js';
import type { SubmittedFile } from '../files/submitted-file.entity.js';
import { FormsService, type FormSummary } from '../forms/forms.service.js';
import { timeOf } from '../platform/kernel/uuid.js';
import { InboxRepository } from './inbox.repository.js';
import { foldersOf, type SubmissionFilter } from './submission-filter.js';
import type { Submission } from './submission.entity.js';

/** A submission in the inbox, with what is said of its form. */
export interface InboxEntry {
  form: Pick<FormSummary, 'name' | 'identifier'>;
  submission: Submission;
  files: SubmittedFile[];
}

/** Shows what was submitted last, over all forms of a scope. */
@Injectable()
export class InboxService {
  constructor(
    private readonly inbox: InboxRepository,
    private readonly forms: FormsService,
    private readonly files: FilesService,
  ) {}

  /**
   * Reads the newest submissions of all forms in the scope, newest first, some at a time.
   * @param before only what is older than this submission
   */
  async *newest(
    scope: Scope,
    marks: Pick<SubmissionFilter, 'spam' | 'trash'>,
    before: Buffer | null,
    limit: number,
  ): AsyncGenerator<InboxEntry[]> {
    const forms = new Map((await this.forms.list(scope, null)).map((form) => [form.id, form]));
    const ids = await this.inbox.newest([...forms.keys()], foldersOf(marks), before, limit);
    for await (const some of this.inbox.load(ids)) yield await this.withFiles(some, forms);
  }

  /** Returns when each of these forms got its newest submission; those without one are left out. */
  async latest(forms: FormSummary[]): Promise<Map<number, Date>> {
    const ids = forms.map(({ id }) => id);
    const found = await this.inbox.latestOfEach(ids, foldersOf({ spam: false, trash: false }));
    return new Map(found.map(([formId, id]) => [formId, timeOf(id)]));
  }

  private async withFiles(
    found: Submission[],
    forms: Map<number, FormSummary>,
  ): Promise<InboxEntry[]> {
    const files = await this.files.listFor(found.map(({ id }) => id));
    return found.flatMap((submission) => {
      const form = forms.get(submission.formId);
      const own = files.filter(({ submissionId }) => submissionId.equals(submission.id));
      return form ? [{ form, submission, files: own }] : [];
    });
  }
}
