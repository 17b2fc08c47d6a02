import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Principal } from '../accounts/access/index.js';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import { mayChange } from '../forms/access/may-change.js';
import { FormQueries } from '../forms/form-queries.service.js';
import { FORM_TOPICS } from '../forms/model/form-changes.js';
import { UnitOfWork } from '../platform/database/index.js';
import { Signals } from '../platform/index.js';
import { SpamLessons } from '../spam/learning/spam-lessons.service.js';
import { actsOfMoving, SubmissionActs, type ActOnMany } from './acts/submission-acts.service.js';
import { FilesService } from './files/files.service.js';
import { SubmissionNotFound } from './model/submission.errors.js';
import { keyOf } from './rows/submission-ids.js';
import { SubmissionsRepository } from './rows/submissions.repository.js';
import type { SubmissionInFull } from './submissions.service.js';
import { VerdictsService } from './verdicts/verdicts.service.js';

/** Marks submissions, and moves them to the trash and out of it. */
@Injectable()
export class SubmissionMarks {
  constructor(
    private readonly submissions: SubmissionsRepository,
    private readonly forms: FormQueries,
    private readonly files: FilesService,
    private readonly deliveries: DeliveriesService,
    private readonly verdicts: VerdictsService,
    private readonly acts: SubmissionActs,
    private readonly lessons: SpamLessons,
    private readonly unitOfWork: UnitOfWork,
    private readonly signals: Signals,
  ) {}

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
    const submission = await this.submissions.find(form.id, id);
    if (!submission) throw new SubmissionNotFound();
    return { form, submission, files: await this.files.listFor([id]) };
  }

  /**
   * Does the same to several submissions of a form whose scope was checked already, within a transaction; the
   * worker of deliveries is to be woken after it.
   * @returns which ids of the form were not so before, each once for every change
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
}
