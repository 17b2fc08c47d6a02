import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Principal } from '../access/principal.js';
import type { AuditDetails } from '../audit/audit-entry.entity.js';
import { AuditService } from '../audit/audit.service.js';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import { FilesService } from '../files/files.service.js';
import type { SubmittedFile } from '../files/submitted-file.entity.js';
import { formTarget } from '../forms/form-changes.js';
import { FORM_TOPICS } from '../forms/form-topics.js';
import type { Form } from '../forms/form.entity.js';
import { FormTotals } from '../forms/form-totals.service.js';
import { FormsService } from '../forms/forms.service.js';
import { SpamLessons } from '../spam/learning/spam-lessons.service.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { Pace } from '../platform/kernel/pace.js';
import { inPortions } from '../platform/kernel/portions.js';
import { Signals } from '../platform/signals/signals.js';
import { NotesService } from './notes/notes.service.js';
import type { SubmissionFilter } from './submission-filter.js';
import { ExportFiles } from './jobs/export-files.js';
import { SubmissionIds } from './submission-ids.js';
import { submissionTarget } from './submission-target.js';
import { SubmissionNotFound } from './submission.errors.js';
import type { Submission } from './submission.entity.js';
import { SubmissionsRepository } from './submissions.repository.js';
import { TextMover } from './texts/text-mover.js';
import { TriageService } from './triage/triage.service.js';
import { digestsOf, valueLookup, type Lookup } from './values/value-digests.js';
import { VerdictsService } from './verdicts/verdicts.service.js';
import { ValueIndex } from './values/value-index.js';

/** Records a removal of that many submissions, in its transaction. */
type RecordRemoval = (tx: EntityManager, count: number) => Promise<void>;

/** Removes submissions for good, with all that belongs to them. */
@Injectable()
export class ErasureService {
  constructor(
    private readonly submissions: SubmissionsRepository,
    private readonly ids: SubmissionIds,
    private readonly forms: FormsService,
    private readonly totals: FormTotals,
    private readonly files: FilesService,
    private readonly values: ValueIndex,
    private readonly texts: TextMover,
    private readonly triage: TriageService,
    private readonly notes: NotesService,
    private readonly verdicts: VerdictsService,
    private readonly lessons: SpamLessons,
    private readonly deliveries: DeliveriesService,
    private readonly exports: ExportFiles,
    private readonly audit: AuditService,
    private readonly unitOfWork: UnitOfWork,
    private readonly signals: Signals,
  ) {}

  /** @throws FormNotFound, SubmissionNotFound */
  async delete(principal: Principal, identifier: string, id: Buffer | null): Promise<void> {
    const form = await this.forms.get(principal, identifier);
    const removed = id
      ? await this.removeAll(form.id, [id], (tx) =>
          this.audit.recordBy(tx, principal, {
            action: 'submission.erased',
            target: submissionTarget(form, id),
          }),
        )
      : 0;
    if (removed === 0) throw new SubmissionNotFound();
  }

  /**
   * Removes every submission, spam and trash too, with this value in this field.
   * @returns how many
   * @throws FormNotFound
   */
  async erase(
    principal: Principal,
    identifier: string,
    name: string,
    text: string,
  ): Promise<number> {
    const form = await this.forms.get(principal, identifier);
    return this.eraseFound(principal, form, valueLookup(name, text), { field: name });
  }

  /**
   * Removes every submission of a form that a look-up means, spam and trash too. The form's scope was checked
   * already.
   * @param details what the audit log says beside the count
   * @returns how many
   */
  async eraseFound(
    principal: Principal,
    form: Pick<Form, 'id' | 'identifier' | 'name'>,
    lookup: Lookup,
    details: AuditDetails,
  ): Promise<number> {
    const ids: Buffer[] = [];
    for await (const { id } of this.values.find(form.id, lookup)) ids.push(id);
    return this.removeAll(form.id, ids, (tx, count) =>
      this.audit.recordBy(tx, principal, {
        action: 'submissions.erased',
        target: formTarget(form),
        details: { ...details, count },
      }),
    );
  }

  /**
   * Removes so many of the oldest submissions that the filter selects.
   * @returns how many; 0 when none are left
   */
  async removeOldest(formId: number, filter: SubmissionFilter, limit: number): Promise<number> {
    return this.removeSome(formId, await this.ids.oldest(formId, filter, limit));
  }

  /**
   * Removes what is left of submissions that are gone.
   * @param forget removes more of it, in the same transaction
   */
  async forget(
    ids: readonly Buffer[],
    forget: (tx: EntityManager) => Promise<void>,
  ): Promise<void> {
    const files = await this.unitOfWork.run(async (tx) => {
      const files = await this.forgetRows(tx, [...ids]);
      await forget(tx);
      return files;
    });
    await this.files.removeBytes(files);
  }

  /** Removes submissions portion by portion, at a pace of their own, since somebody waits for it. */
  private async removeAll(formId: number, ids: Buffer[], record: RecordRemoval): Promise<number> {
    let [removed, from] = [0, 0];
    await inPortions(
      async (rows) => {
        const some = ids.slice(from, from + rows);
        from += rows;
        removed += await this.removeSome(formId, some, record);
        return some.length;
      },
      undefined,
      new Pace(),
    );
    return removed;
  }

  /** Removes some submissions, in transactions of a limited size in bytes; others get a turn after each. */
  private async removeSome(
    formId: number,
    ids: Buffer[],
    record: RecordRemoval = () => Promise.resolve(),
  ): Promise<number> {
    let removed = 0;
    for await (const some of this.submissions.load(formId, ids)) {
      removed += await this.remove(formId, some, record);
    }
    return removed;
  }

  private async remove(
    formId: number,
    submissions: Submission[],
    record: RecordRemoval,
  ): Promise<number> {
    const entries = submissions.map((each) => ({ id: each.id, digests: digestsOf(each) }));
    const { removed, files } = await this.unitOfWork.run(async (tx) => {
      const ids = entries.map(({ id }) => id);
      const { removed, counted } = await this.submissions.in(tx).remove(ids);
      await this.texts.forget(tx, formId, ids);
      await this.values.forget(tx, formId, entries);
      const files = await this.forgetRows(tx, ids);
      if (removed > 0) await record(tx, removed);
      const bytes = files.reduce((sum, { size }) => sum + size, 0);
      // Last, since the form's visitors wait for its row until the commit. No export made from before opens after it.
      if (removed > 0) await this.totals.noteErasure(tx, formId, { counted, bytes });
      return { removed, files };
    });
    if (removed > 0) this.signals.give(FORM_TOPICS.changed, formId);
    await this.files.removeBytes(files);
    if (removed > 0) await this.exports.forgetForm(formId);
    return removed;
  }
  /** Removes the rows of submissions that need no more than their ids. @returns their files, whose bytes are still there */
  private async forgetRows(tx: EntityManager, ids: Buffer[]): Promise<SubmittedFile[]> {
    await this.triage.forget(tx, ids);
    await this.notes.forget(tx, ids);
    await this.verdicts.forget(tx, ids);
    await this.lessons.forget(tx, ids);
    await this.deliveries.forget(tx, ids);
    return this.files.forget(tx, ids);
  }
}
