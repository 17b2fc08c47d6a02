import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/index.js';
import { SubmissionsRepository, type FormCount } from '../../submissions/rows/submissions.repository.js';
import type { Scope } from '../../accounts/access/index.js';
import { FilesService } from '../../submissions/files/files.service.js';
import type { SubmittedFile } from '../../submissions/files/submitted-file.entity.js';
import { FormQueries, type FormSummary } from '../../forms/form-queries.service.js';
import { timeOf } from '../../platform/index.js';
import { RECEIVED } from '../../submissions/filter/submission-filter.js';
import type { Submission } from '../../submissions/model/submission.entity.js';
import { FROM_NEWEST } from '../../submissions/rows/submission-ids.js';
import { FormRowsRepository, type SubmissionState, type Selection } from '../finder/selection.js';

/** Compares the stored counts of forms with what there is. */
@Injectable()
export class FormCounts {
  constructor(
    private readonly submissions: SubmissionsRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Returns the number of forms, and those whose stored count is wrong. */
  async compare(): Promise<{ forms: number; wrong: FormCount[] }> {
    let forms = 0;
    const wrong: FormCount[] = [];
    for await (const form of this.submissions.countsByForm()) {
      forms++;
      if (form.counted !== form.there) wrong.push(form);
    }
    return { forms, wrong };
  }

  /** Sets the stored count of each form that is wrong to the real one. */
  async mend() {
    const { wrong } = await this.compare();
    for (const { identifier } of wrong) {
      await this.unitOfWork.run((tx) => this.submissions.in(tx).recount(identifier));
    }
  }
}

/** A submission in the inbox, with its form and its files. */
export interface InboxEntry {
  form: Pick<FormSummary, 'name' | 'identifier' | 'previewFields'>;
  submission: Submission;
  files: SubmittedFile[];
}

/** Reads submissions of several forms. */
@Injectable()
export class InboxService {
  constructor(
    private readonly rows: FormRowsRepository,
    private readonly submissions: SubmissionsRepository,
    private readonly lists: FormQueries,
    private readonly files: FilesService,
  ) {}

  /** Reads submissions in the order of these ids, some at a time; others than of the forms are left out. */
  async *read({ scope, forms }: Pick<Selection, 'scope' | 'forms'>, ids: Buffer[]): AsyncGenerator<InboxEntry[]> {
    const own = forms ?? (await this.formsOf(scope, await this.rows.states(ids)));
    const byId = new Map(own.map((form) => [form.id, form]));
    const pieces = this.submissions.loadOfAll(ids);
    // The first piece is mostly all there is.
    const [filesOf, first] = await Promise.all([this.files.listByOwner(ids), pieces.next()]);
    for (let piece = first; !piece.done; piece = await pieces.next()) {
      yield piece.value.flatMap((submission) => {
        const form = byId.get(submission.formId);
        return form ? [{ form, submission, files: filesOf(submission.id) }] : [];
      });
    }
  }

  /** Returns when each of these forms got its newest submission; those without one are left out. */
  async latest(forms: readonly Pick<FormSummary, 'id'>[]): Promise<Map<number, Date>> {
    const ids = forms.map(({ id }) => id);
    const found = await this.rows.firstOfEach(ids, RECEIVED, 'DESC', FROM_NEWEST);
    return new Map([...found].map(([formId, id]) => [formId, timeOf(id)]));
  }

  /** Returns the identifier of the form of each of these submissions, by the id as Latin-1. */
  async identifiersOf(
    { scope, forms }: Pick<Selection, 'scope' | 'forms'>,
    ids: readonly Buffer[],
  ): Promise<Map<string, string>> {
    const states = await this.rows.states(ids);
    const own = forms ?? (await this.formsOf(scope, states));
    const byId = new Map(own.map((form) => [form.id, form.identifier]));
    return new Map(
      states.flatMap(({ id, formId }) => {
        const identifier = byId.get(formId);
        return identifier === undefined ? [] : [[id.toString('latin1'), identifier]];
      }),
    );
  }

  private formsOf(scope: Scope, states: readonly SubmissionState[]) {
    return this.lists.among(scope, [...new Set(states.map(({ formId }) => formId))]);
  }
}
