import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Hooks, Signals } from '../../platform/index.js';
import type { Principal } from '../../accounts/access/index.js';
import { DeliveriesService } from '../../deliveries/deliveries.service.js';
import { FORM_TOPICS } from '../../forms/model/form-changes.js';
import { FormQueries, type FormSummary } from '../../forms/form-queries.service.js';
import { UnitOfWork } from '../../platform/database/index.js';
import { PeopleDirectory } from '../../triage/assignees/assignees.service.js';
import { FormRowsRepository, type SubmissionState } from '../../search/finder/selection.js';
import { keyOf } from '../../submissions/rows/submission-ids.js';
import { UnknownAssignee } from '../../submissions/model/submission.errors.js';
import { SubmissionMarks } from '../../submissions/submission-marks.service.js';
import { VerdictsService } from '../../submissions/verdicts/verdicts.service.js';
import { namesOf, type BulkChanges } from './bulk-changes.js';
import { tagged } from '../../submissions/filter/submission-filter.js';
import { assertMayTriage, TriageService, type ListedMarks } from '../../triage/marks/triage.service.js';

/** The submissions that are changed, and the forms they are of. */
export interface BulkPlan {
  forms: readonly Pick<FormSummary, 'id'>[];
  /** Those that were not so before, in the order of the ids. */
  differing: SubmissionState[];
}

/** How the input names the person that is assigned to. */
const ASSIGNEE = 'changes.assignee.person_id';

/** Changes many submissions at once, each by itself. */
@Injectable()
export class BulkService {
  constructor(
    private readonly forms: FormQueries,
    private readonly rows: FormRowsRepository,
    private readonly folders: SubmissionMarks,
    private readonly triage: TriageService,
    private readonly verdicts: VerdictsService,
    private readonly hooks: Hooks,
    private readonly deliveries: DeliveriesService,
    private readonly unitOfWork: UnitOfWork,
    private readonly signals: Signals,
  ) {}

  /**
   * Changes any of these submissions that are in the scope.
   * @returns the ids of those that were not so before, in the order of the ids
   * @throws MissingRight, ActionForbidden for all but `read`, without the right to triage
   * @throws UnknownAssignee
   */
  async change(principal: Principal, ids: readonly Buffer[], changes: BulkChanges): Promise<Buffer[]> {
    assertMayChange(principal, changes);
    await this.assertKnown(principal, changes);
    const states = await this.rows.states(ids);
    const formIds = [...new Set(states.map(({ formId }) => formId))];
    const forms = await this.forms.among(principal, formIds);
    const plan = await this.plan(principal, forms, ids, changes);
    const changed = await this.unitOfWork.run((tx) => this.apply(tx, principal, plan, changes));
    this.tell(plan, principal.by);
    return changed;
  }

  /**
   * Finds out which of these submissions are of these forms and would be others after the changes. Those in forms
   * that the assignee does not see are left out.
   */
  async plan(
    principal: Principal,
    forms: readonly Pick<FormSummary, 'id'>[],
    ids: readonly Buffer[],
    changes: BulkChanges,
  ): Promise<BulkPlan> {
    const known = new Set(await this.seenBy(principal, forms, changes.assignee));
    const found = (await this.rows.states(ids)).filter(({ formId }) => known.has(formId));
    const marks = await this.triage.marksOf(principal, found);
    const held = changes.spam === false ? await this.verdicts.heldAmong(ids) : null;
    const differing = found.filter(
      (submission, index) =>
        // What is held is no spam already, but nobody has said so.
        held?.has(keyOf(submission.id)) === true || differs({ ...submission, ...marks[index] }, changes),
    );
    const touched = new Set(differing.map(({ formId }) => formId));
    return { forms: forms.filter(({ id }) => touched.has(id)), differing };
  }

  /** Refuses changes that assign to somebody whom the scope does not know. @throws UnknownAssignee */
  async assertKnown(principal: Principal, { assignee }: BulkChanges) {
    if (assignee == null) return;
    const directory = this.hooks.ask(PeopleDirectory);
    if (!(await directory.seenBy(principal, assignee, []))) throw new UnknownAssignee(ASSIGNEE);
  }

  /** Returns the ids of those forms in which submissions can be assigned to the person. */
  private async seenBy(
    principal: Principal,
    forms: readonly Pick<FormSummary, 'id'>[],
    assignee: number | null | undefined,
  ) {
    const ids = forms.map(({ id }) => id);
    if (assignee == null) return ids;
    return (await this.hooks.ask(PeopleDirectory).seenBy(principal, assignee, ids)) ?? [];
  }

  /** Tells whoever waits for it what was made; to be called after the transaction. */
  tell({ forms }: BulkPlan, by?: string) {
    for (const { id } of forms) this.signals.give(FORM_TOPICS.changed, id, by);
    this.deliveries.wakeWorker();
  }

  /**
   * Makes what was planned, within a transaction; `tell()` is to be called after it.
   * @returns the ids of those that nobody else changed so meanwhile, in the order of the plan
   */
  async apply(
    tx: EntityManager,
    principal: Principal,
    { forms, differing }: BulkPlan,
    { spam, trash, addTag, removeTag, assignee, ...marks }: BulkChanges,
  ): Promise<Buffer[]> {
    const folder = { ...(spam !== undefined && { spam }), ...(trash !== undefined && { trash }) };
    const others = {
      add: addTag === undefined ? [] : [tagged(addTag)],
      remove: removeTag === undefined ? [] : [tagged(removeTag)],
      ...(assignee !== undefined && { assignee }),
    };
    const byForm = [...forms]
      .sort((a, b) => a.id - b.id)
      .map(({ id }) => ({ formId: id, ids: differing.filter(({ formId }) => formId === id).map((each) => each.id) }));
    const changed: Buffer[] = [];
    // First the counts of all forms, in one order: see `FormsService.lockCount()`.
    if (Object.keys(folder).length > 0) {
      for (const { formId, ids } of byForm) {
        changed.push(...(await this.folders.markWithin(tx, principal, formId, ids, folder)));
      }
    }
    for (const { formId, ids } of byForm) {
      changed.push(...(await this.triage.changeWithin(tx, principal, formId, ids, marks, others)));
    }
    const keys = new Set(changed.map(keyOf));
    return differing.map(({ id }) => id).filter((id) => keys.has(keyOf(id)));
  }
}

/**
 * Refuses all changes but `read` to whoever may not triage.
 * @throws MissingRight, ActionForbidden
 */
export function assertMayChange(principal: Principal, changes: BulkChanges) {
  if (namesOf(changes).some((name) => name !== 'read')) assertMayTriage(principal);
}

/** Tells whether a submission would be another after the changes. */
function differs(
  now: Partial<ListedMarks> & { spam: boolean; trash: boolean },
  { addTag, removeTag, assignee, ...marks }: Omit<BulkChanges, 'rejudge'>,
) {
  const names = Object.keys(marks) as (keyof typeof marks)[];
  if (names.some((name) => marks[name] !== undefined && marks[name] !== now[name])) return true;
  if (assignee !== undefined && assignee !== now.assigneeId) return true;
  const has = (tag: string) => now.tags?.includes(tag) === true;
  return (addTag !== undefined && !has(addTag)) || (removeTag !== undefined && has(removeTag));
}
