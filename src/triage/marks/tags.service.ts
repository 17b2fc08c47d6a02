import { Injectable } from '@nestjs/common';
import type { Principal } from '../../access/principal.js';
import { FORM_TOPICS } from '../../forms/model/form-topics.js';
import { FormsService } from '../../forms/forms.service.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Signals } from '../../platform/signals/signals.js';
import { SubmissionNotFound } from '../../submissions/model/submission.errors.js';
import { SubmissionsService } from '../../submissions/submissions.service.js';
import { SubmissionActs, type ActOnMany } from '../../submissions/acts/submission-acts.service.js';
import { MarksRepository } from './marks.repository.js';
import { tagged, tagsIn } from '../../submissions/filter/mark-names.js';

/** Keeps the tags of submissions, which are marks that people name. */
@Injectable()
export class TagsService {
  constructor(
    private readonly forms: FormsService,
    private readonly submissions: SubmissionsService,
    private readonly marks: MarksRepository,
    private readonly acts: SubmissionActs,
    private readonly unitOfWork: UnitOfWork,
    private readonly signals: Signals,
  ) {}

  /**
   * Returns the tags of a submission, in the order of the alphabet.
   * @throws FormNotFound, SubmissionNotFound
   */
  async show(principal: Principal, identifier: string, id: Buffer | null): Promise<string[]> {
    const { submission } = await this.submissions.locate(principal, identifier, id);
    const marks = await this.marks.of([submission.id]);
    return tagsIn(marks.get(submission.id.toString('latin1')) ?? []);
  }

  /**
   * Gives a submission exactly these tags, or changes those that were shown to these: what others changed since stays.
   * @param tags as `parseTag` returns them
   * @param shown null: whatever it has
   * @throws FormNotFound, SubmissionNotFound
   */
  async replace(
    principal: Principal,
    identifier: string,
    id: Buffer | null,
    tags: readonly string[],
    shown: readonly string[] | null = null,
  ): Promise<string[]> {
    const form = await this.forms.get(principal, identifier);
    await this.unitOfWork.run(async (tx) => {
      const marks = this.marks.in(tx);
      const locked = id ? await marks.lock(form.id, [id]) : [];
      const [submissionId] = locked;
      if (!submissionId) throw new SubmissionNotFound();
      const known = tagsIn((await marks.of(locked)).get(submissionId.toString('latin1')) ?? []);
      const before = shown ?? known;
      const acts: ActOnMany[] = [];
      for (const tag of before.filter((each) => !tags.includes(each))) {
        acts.push({ kind: 'untagged', detail: tag, ids: await marks.remove(locked, tagged(tag)) });
      }
      const added = shown === null ? tags : tags.filter((each) => !shown.includes(each));
      for (const tag of new Set(added)) {
        const { actor } = principal;
        const ids = await marks.add(form.id, locked, tagged(tag), actor, this.unitOfWork.now());
        acts.push({ kind: 'tagged', detail: tag, ids });
      }
      await this.acts.record(tx, principal, form.id, acts);
    });
    this.signals.give(FORM_TOPICS.changed, form.id);
    return this.show(principal, identifier, id);
  }
}
