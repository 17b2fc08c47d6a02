import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { FormQueries } from '../../forms/form-queries.service.js';
import type { Principal } from '../../accounts/access/index.js';
import { FORM_TOPICS } from '../../forms/model/form-changes.js';
import { Config, Signals, cutAt, readableJson } from '../../platform/index.js';
import { UnitOfWork } from '../../platform/database/index.js';
import { Projections } from '../../forms/projections.js';
import { SubmissionActs } from '../acts/submission-acts.service.js';
import { problemOfFields, digestsOf, type SubmittedValues } from '../model/submitted-values.js';
import { facetsOf } from '../model/facet.js';
import { SubmissionNotFound, ValuesRefused } from '../model/submission.errors.js';
import type { Submission } from '../model/submission.entity.js';
import { SubmissionsRepository } from '../rows/submissions.repository.js';
import { receivedAsEdited, SubmissionBatchesRepository } from '../rows/received.js';
import { refuseTooLong } from '../storage/submission-inserts.js';
import { SubmissionsService, type SubmissionInFull } from '../submissions.service.js';
import type { FieldChange } from '../acts/submission-act.entity.js';

/** New values of fields, as JSON texts by name; null takes a field away. */
export type FieldChanges = ReadonlyMap<string, string | null>;

/** Changes what is stored of a submission's values, and keeps what they were. */
@Injectable()
export class EditsService {
  constructor(
    private readonly submissions: SubmissionsService,
    private readonly rows: SubmissionsRepository,
    private readonly batches: SubmissionBatchesRepository,
    private readonly forms: FormQueries,
    private readonly acts: SubmissionActs,
    private readonly projections: Projections,
    private readonly unitOfWork: UnitOfWork,
    private readonly signals: Signals,
    private readonly config: Config,
  ) {}

  /**
   * Gives fields of a submission new values; the others stay. What is the same already is no change.
   * @throws FormNotFound, SubmissionNotFound, ValuesRefused, SubmissionTooLong; MissingRight for who may not see
   *   what is returned
   */
  async edit(
    principal: Principal,
    identifier: string,
    id: Buffer | null,
    changes: FieldChanges,
  ): Promise<SubmissionInFull> {
    principal.assertHas('submissions:read');
    const form = await this.forms.get(principal, identifier);
    if (!id) throw new SubmissionNotFound();
    await this.unitOfWork.run(async (tx) => {
      // As for all changes: what is marked or judged anew at this moment is counted by the values that it has.
      await this.forms.lockCount(tx, form.id);
      const submission = await this.rows.in(tx).lock(form.id, id);
      if (!submission) throw new SubmissionNotFound();
      await this.editWithin(tx, principal, submission, changes);
    });
    this.signals.give(FORM_TOPICS.changed, form.id);
    return this.submissions.get(principal, identifier, id);
  }

  private async editWithin(tx: EntityManager, principal: Principal, submission: Submission, changes: FieldChanges) {
    const { id, formId, values: before, countedBy } = submission;
    const after = before.with(changes);
    const changed = changesBetween(before, after, [...changes.keys()]);
    if (changed.length === 0) return;
    const problem = problemOfFields(after.members, this.config.intake);
    // What broke a limit before may be edited too.
    const hadProblem = problemOfFields(before.members, this.config.intake) !== null;
    if (problem !== null && !hadProblem) throw new ValuesRefused(problem);
    const payload = after.encode();
    refuseTooLong(payload);
    const had = new Set(digestsOf(submission));
    const sent = { ...placeOf(submission), values: after };
    const has = new Set(digestsOf(sent));
    await this.rows.in(tx).setPayload(id, payload);
    await this.projections.editValues(tx, {
      ...{ formId, id },
      gone: [...had].filter((digest) => !has.has(digest)),
      come: [...has].filter((digest) => !had.has(digest)),
    });
    const { facets: rules } = submission;
    const counts = rules === null ? [] : facetsOf(sent, payload.length, rules);
    await this.batches.in(tx).enqueue(receivedAsEdited(submission, countedBy, counts));
    const act = { kind: 'edited' as const, detail: null, changes: changed, ids: [id] };
    await this.acts.record(tx, principal, formId, [act]);
  }
}

function placeOf({ origin, referer, country }: Submission) {
  return { origin, referer, country };
}

/** The most that is kept of one value, and of all values of an edit beyond which only beginnings are, in characters. */
const VALUE_KEPT_MAX = 10_000;
const EDIT_KEPT_MAX = 100_000;
const BEGINNING_MAX = 200;

/** Returns which of these fields have another value, with both as a person reads them; long ones are cut. */
function changesBetween(before: SubmittedValues, after: SubmittedValues, names: readonly string[]): FieldChange[] {
  let left = EDIT_KEPT_MAX;
  const kept = (json: string | null): string | null => {
    if (json === null) return null;
    const text = json.startsWith('"') ? (JSON.parse(json) as string) : readableJson(json);
    const max = Math.max(BEGINNING_MAX, Math.min(VALUE_KEPT_MAX, left));
    left -= Math.min(text.length, max);
    return cutAt(text, max);
  };
  const [all, anew] = [before.byName(), after.byName()];
  return names.flatMap((field) => {
    const [was, is] = [all.get(field) ?? null, anew.get(field) ?? null];
    return isSame(was, is) ? [] : { field, before: kept(was), after: kept(is) };
  });
}

/** Tells whether two JSON texts are of one value, however each is written. */
function isSame(one: string | null, other: string | null) {
  if (one === null || other === null) return one === other;
  return one === other || readableJson(one) === readableJson(other);
}
