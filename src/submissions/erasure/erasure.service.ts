import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Principal } from '../../access/principal.js';
import { AuditService } from '../../audit/audit.service.js';
import { FORM_TOPICS } from '../../forms/model/form-topics.js';
import { FormsService } from '../../forms/forms.service.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Pace } from '../../platform/background/pace.js';
import { inPortions } from '../../platform/background/portions.js';
import { Signals } from '../../platform/signals/signals.js';
import { submissionTarget } from '../model/submission-target.js';
import { SubmissionNotFound } from '../model/submission.errors.js';
import type { Submission } from '../model/submission.entity.js';
import { keyOf } from '../rows/byte-pieces.js';
import { lockedOf } from '../rows/load-in-order.repository.js';
import { SubmissionsRepository } from '../rows/submissions.repository.js';
import { digestsOf } from '../model/value-digests.js';
import { receivedTakenBack } from '../storage/received.js';
import { SubmissionBatchesRepository } from '../storage/submission-batches.repository.js';
import { Projections } from '../../projections/projections.js';

/** Records a removal of that many submissions, in its transaction. */
type RecordRemoval = (tx: EntityManager, count: number) => Promise<void>;

/** Returns those of these submissions that are to be removed still, and locks them. */
type StillMeant = (tx: EntityManager, ids: Buffer[]) => Promise<Buffer[]>;

/** Removes submissions for good, with all that belongs to them. */
@Injectable()
export class ErasureService {
  constructor(
    private readonly submissions: SubmissionsRepository,
    private readonly forms: FormsService,
    private readonly projections: Projections,
    private readonly batches: SubmissionBatchesRepository,
    private readonly audit: AuditService,
    private readonly unitOfWork: UnitOfWork,
    private readonly signals: Signals,
  ) {}

  /** @throws FormNotFound, SubmissionNotFound */
  async delete(principal: Principal, identifier: string, id: Buffer | null): Promise<void> {
    const form = await this.forms.get(principal, identifier);
    const removed = id
      ? await this.erase(form.id, [id], (tx) =>
          this.audit.recordBy(tx, principal, {
            action: 'submission.erased',
            target: submissionTarget(form, id),
          }),
        )
      : 0;
    if (removed === 0) throw new SubmissionNotFound();
  }

  /**
   * Removes some submissions of a form, in transactions of a limited size in bytes; others get a turn after each.
   * @param record records the removal of so many
   * @param stillMeant leaves out what is not to be removed any more; without it, all are
   * @returns how many
   */
  async removeSome(
    formId: number,
    ids: Buffer[],
    record: RecordRemoval = () => Promise.resolve(),
    stillMeant: StillMeant = (_, all) => Promise.resolve(all),
  ): Promise<number> {
    let removed = 0;
    for await (const some of this.submissions.load(formId, ids)) {
      removed += await this.remove(formId, some, record, stillMeant);
    }
    return removed;
  }

  /** Removes submissions of a form as if they had never come: what statistics counted of them goes too. */
  takeBack(formId: number, ids: Buffer[]): Promise<number> {
    return this.removeSome(formId, ids, undefined, async (tx, some) => {
      const there = await lockedOf(tx, some);
      await this.batches.in(tx).enqueue(receivedTakenBack(there));
      return there.map(({ id }) => id);
    });
  }

  /**
   * Removes submissions of a form portion by portion, at a pace of their own, since somebody waits for it.
   * @param record records each removal
   * @returns how many
   */
  async erase(formId: number, ids: Buffer[], record: RecordRemoval): Promise<number> {
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

  private async remove(
    formId: number,
    submissions: Submission[],
    record: RecordRemoval,
    stillMeant: StillMeant,
  ): Promise<number> {
    const { removed, afterCommit } = await this.unitOfWork.run(async (tx) => {
      const ids = await stillMeant(
        tx,
        submissions.map(({ id }) => id),
      );
      const keys = new Set(ids.map(keyOf));
      const values = submissions
        .filter(({ id }) => keys.has(keyOf(id)))
        .map((each) => ({ id: each.id, digests: digestsOf(each) }));
      const { removed, counted } = await this.submissions.in(tx).remove(ids);
      if (removed === 0) return { removed };
      const { fileBytes, afterCommit } = await this.projections.forget(tx, { formId, ids, values });
      await record(tx, removed);
      // Last, since the form's visitors wait for its row until the commit. No export made from before opens after it.
      await this.forms.noteErasure(tx, formId, { counted, bytes: fileBytes });
      return { removed, afterCommit };
    });
    if (removed > 0) this.signals.give(FORM_TOPICS.changed, formId);
    await afterCommit?.();
    return removed;
  }
}
