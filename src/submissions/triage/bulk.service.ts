import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Principal } from '../../access/principal.js';
import { DeliveriesService } from '../../deliveries/deliveries.service.js';
import { FormsService, type FormSummary } from '../../forms/forms.service.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { InboxRepository, type SubmissionState } from '../inbox.repository.js';
import { SubmissionsService } from '../submissions.service.js';
import { namesOf, type BulkChanges } from './bulk-changes.js';
import { tagged } from './mark-names.js';
import { assertMayTriage, TriageService, type Marks } from './triage.service.js';

/** The submissions that are changed, and the forms they are of. */
export interface BulkPlan {
  forms: readonly Pick<FormSummary, 'id'>[];
  /** Those that were not so before, in the order of the ids. */
  differing: SubmissionState[];
}

/** Changes many submissions at once, each by itself. */
@Injectable()
export class BulkService {
  constructor(
    private readonly forms: FormsService,
    private readonly inbox: InboxRepository,
    private readonly submissions: SubmissionsService,
    private readonly triage: TriageService,
    private readonly deliveries: DeliveriesService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Changes those of these submissions that are in the scope.
   * @returns the ids of those that were not so before, in the order of the ids
   * @throws MissingRight, ActionForbidden for all but `read`, without the right to triage
   */
  async change(
    principal: Principal,
    ids: readonly Buffer[],
    changes: BulkChanges,
  ): Promise<Buffer[]> {
    assertMayChange(principal, changes);
    const forms = await this.forms.list(principal, null);
    const plan = await this.plan(principal, forms, ids, changes);
    await this.unitOfWork.run((tx) => this.apply(tx, principal, plan, changes));
    this.deliveries.wakeWorker();
    return plan.differing.map(({ id }) => id);
  }

  /** Finds out which of these submissions are of these forms and would be others after the changes. */
  async plan(
    principal: Principal,
    forms: readonly Pick<FormSummary, 'id'>[],
    ids: readonly Buffer[],
    changes: BulkChanges,
  ): Promise<BulkPlan> {
    const known = new Set(forms.map(({ id }) => id));
    const found = (await this.inbox.states(ids)).filter(({ formId }) => known.has(formId));
    const marks = await this.triage.marksOf(principal, found);
    const differing = found.filter((submission, index) =>
      differs({ ...submission, ...marks[index] }, changes),
    );
    const touched = new Set(differing.map(({ formId }) => formId));
    return { forms: forms.filter(({ id }) => touched.has(id)), differing };
  }

  /** Makes what was planned, within a transaction; the worker of deliveries is to be woken after it. */
  async apply(
    tx: EntityManager,
    principal: Principal,
    { forms, differing }: BulkPlan,
    { spam, trash, addTag, removeTag, ...marks }: BulkChanges,
  ): Promise<void> {
    const folder = { ...(spam !== undefined && { spam }), ...(trash !== undefined && { trash }) };
    const others = {
      add: addTag === undefined ? [] : [tagged(addTag)],
      remove: removeTag === undefined ? [] : [tagged(removeTag)],
    };
    const byForm = [...forms]
      .sort((a, b) => a.id - b.id)
      .map(({ id }) => ({
        formId: id,
        ids: differing.filter(({ formId }) => formId === id).map((each) => each.id),
      }));
    // First the counts of all forms, in one order: see `FormsService.lockCount()`.
    if (Object.keys(folder).length > 0) {
      for (const { formId, ids } of byForm) {
        await this.submissions.markWithin(tx, formId, ids, folder);
      }
    }
    for (const { formId, ids } of byForm) {
      await this.triage.changeWithin(tx, principal, formId, ids, marks, others);
    }
  }
}

/**
 * Refuses all changes but `read` to whoever may not triage.
 * @throws MissingRight, ActionForbidden
 */
export function assertMayChange(principal: Principal, changes: BulkChanges): void {
  if (namesOf(changes).some((name) => name !== 'read')) assertMayTriage(principal);
}

/** Tells whether a submission would be another after the changes. */
function differs(
  now: Partial<Marks> & { spam: boolean; trash: boolean; tags?: readonly string[] },
  { addTag, removeTag, ...marks }: BulkChanges,
): boolean {
  const names = Object.keys(marks) as (keyof typeof marks)[];
  if (names.some((name) => marks[name] !== undefined && marks[name] !== now[name])) return true;
  const has = (tag: string) => now.tags?.includes(tag) === true;
  return (addTag !== undefined && !has(addTag)) || (removeTag !== undefined && has(removeTag));
}
