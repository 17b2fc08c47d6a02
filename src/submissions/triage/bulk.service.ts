import { Injectable } from '@nestjs/common';
import type { Principal } from '../../access/principal.js';
import { FormsService, type FormSummary } from '../../forms/forms.service.js';
import { InboxRepository, type SubmissionState } from '../inbox.repository.js';
import { SubmissionsService } from '../submissions.service.js';
import { tagged } from './mark-names.js';
import { assertMayTriage, TriageService, type Marks } from './triage.service.js';

/** What is changed of many submissions; what is not given stays. */
export interface BulkChanges extends Partial<Marks> {
  spam?: boolean;
  trash?: boolean;
  /** As `parseTag` returns it. */
  addTag?: string;
  removeTag?: string;
}

/** Changes many submissions at once, each by itself. */
@Injectable()
export class BulkService {
  constructor(
    private readonly forms: FormsService,
    private readonly inbox: InboxRepository,
    private readonly submissions: SubmissionsService,
    private readonly triage: TriageService,
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
    const { read: _, ...shared } = changes;
    if (Object.values(shared).some((value: unknown) => value !== undefined))
      assertMayTriage(principal);
    const forms = new Map((await this.forms.list(principal, null)).map((form) => [form.id, form]));
    const found = (await this.inbox.states(ids)).filter(({ formId }) => forms.has(formId));
    const marks = await this.triage.marksOf(principal, found);
    const differing = found.filter((submission, index) =>
      differs({ ...submission, ...marks[index] }, changes),
    );
    for (const form of forms.values()) {
      const own = differing.filter(({ formId }) => formId === form.id);
      if (own.length > 0) await this.changeOf(principal, form, own, changes);
    }
    return differing.map(({ id }) => id);
  }

  private async changeOf(
    principal: Principal,
    form: FormSummary,
    own: readonly SubmissionState[],
    { spam, trash, addTag, removeTag, ...marks }: BulkChanges,
  ): Promise<void> {
    const ids = own.map(({ id }) => id);
    const add = addTag === undefined ? [] : [tagged(addTag)];
    const remove = removeTag === undefined ? [] : [tagged(removeTag)];
    await this.triage.changeAll(principal, form.id, ids, marks, { add, remove });
    if (spam === undefined && trash === undefined) return;
    const folder = { ...(spam !== undefined && { spam }), ...(trash !== undefined && { trash }) };
    for (const id of ids) await this.submissions.mark(principal, form.identifier, id, folder);
  }
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
