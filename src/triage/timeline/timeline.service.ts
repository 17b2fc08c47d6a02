import { Injectable } from '@nestjs/common';
import { Hooks, timeOf } from '../../platform/index.js';
import type { Principal } from '../../accounts/access/index.js';
import { OptIns } from '../../deliveries/holds/holds.service.js';
import { DeliveriesService } from '../../deliveries/deliveries.service.js';
import type { OptIn } from '../../deliveries/model/delivery.entity.js';
import type { DeliveryWithAttempts } from '../../deliveries/model/delivery-filter.js';
import { UnitOfWork } from '../../platform/database/index.js';
import type { Verdict } from '../../spam/evidence/verdict.js';
import { PeopleDirectory, type Colleague } from '../assignees/assignees.service.js';
import { NotesService, type NoteWithMentions } from '../notes/notes.service.js';
import type { Submission } from '../../submissions/model/submission.entity.js';
import { SubmissionsService } from '../../submissions/submissions.service.js';
import type { SubmissionMark } from '../marks/submission-mark.entity.js';
import { TriageService } from '../marks/triage.service.js';
import { VerdictsService } from '../../submissions/verdicts/verdicts.service.js';
import { actOfGiving, SubmissionActs } from '../../submissions/acts/submission-acts.service.js';
import type { Act, ActKind, FieldChange, SubmissionAct } from '../../submissions/acts/submission-act.entity.js';

/** The author of an action, as far as the reader may know them. */
export interface Doer {
  /** Null for what was done before this was kept. */
  kind: SubmissionAct['actorKind'] | null;
  /** Id of the person or the token; null for the command line. */
  id: number | null;
  /** Its name at that time. */
  name: string;
}

/** An action on a submission, with its tag, assignee or changes. */
export interface ActTold {
  what: ActKind;
  by: Doer | null;
  tag: string | null;
  /** Changes of an edit; null for other actions. */
  changes: readonly FieldChange[] | null;
  /** Null in an assignment to somebody whom the reader does not know. */
  assignee: Colleague | null;
}

/** An event in the activity of a submission, with its time. */
export type TimelineEntry = { at: Date } & (
  | { what: 'received' }
  | { what: 'confirmed' }
  | { what: 'judged'; verdict: Verdict }
  | { what: 'delivery'; delivery: DeliveryWithAttempts }
  | { what: 'note'; note: NoteWithMentions['note'] }
  | ActTold
);

/** Tells what became of a submission. */
@Injectable()
export class TimelineService {
  constructor(
    private readonly submissions: SubmissionsService,
    private readonly verdicts: VerdictsService,
    private readonly deliveries: DeliveriesService,
    private readonly optIns: OptIns,
    private readonly notes: NotesService,
    private readonly triage: TriageService,
    private readonly acts: SubmissionActs,
    private readonly hooks: Hooks,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Returns everything that happened to a submission, oldest first. Whoever acts for a client reads of nobody who
   * does not act for the same client: neither that they looked, nor who did something.
   * @throws FormNotFound, SubmissionNotFound
   */
  async show(principal: Principal, identifier: string, id: Buffer | null): Promise<TimelineEntry[]> {
    const { submission } = await this.submissions.get(principal, identifier, id);
    const [verdict, notes, optIn] = await Promise.all([
      this.verdicts.of(submission),
      this.notes.of(principal, submission.id),
      this.optIns.find(submission.id),
    ]);
    return this.of(principal, submission.id, verdict, notes, optIn);
  }

  /** Does the same for a submission whose scope was checked, and whose verdict and notes were read already. */
  async of(
    principal: Principal,
    submissionId: Buffer,
    verdict: Verdict,
    notes: readonly NoteWithMentions[],
    optIn: OptIn | null,
  ): Promise<TimelineEntry[]> {
    const receivedAt = timeOf(submissionId);
    const [deliveries, acts] = await Promise.all([
      this.deliveries.listFor(principal, submissionId),
      this.actsTold(principal, submissionId),
    ]);
    const entries: TimelineEntry[] = [
      { at: receivedAt, what: 'received' },
      ...(verdict.parts.length === 0 ? [] : [{ at: receivedAt, what: 'judged' as const, verdict }]),
      ...deliveries.map((each) => ({ at: timeOf(each.delivery.id), what: 'delivery' as const, delivery: each })),
      ...notes.map(({ note }) => ({ at: note.createdAt, what: 'note' as const, note })),
      ...acts,
    ];
    if (optIn?.confirmedAt && !optIn.byHand) {
      entries.push({ at: optIn.confirmedAt, what: 'confirmed' });
    }
    return entries.sort((one, other) => one.at.getTime() - other.at.getTime());
  }

  /** Notes that a person has looked at a submission, whose scope was checked already. */
  noteLook(principal: Principal, submission: Pick<Submission, 'id' | 'formId'>) {
    return this.unitOfWork.run((tx) => this.acts.recordLook(tx, principal, submission));
  }

  private async actsTold(principal: Principal, submissionId: Buffer): Promise<(ActTold & { at: Date })[]> {
    const { clientId } = principal;
    const [acts, marks] = await Promise.all([this.acts.listFor(submissionId), this.triage.given(submissionId)]);
    const before = marks.filter((mark) => !acts.some((act) => isGiving(act, mark)));
    const ids = [...acts, ...before.map(({ mark }) => actOfGiving(mark))]
      .filter(({ kind }) => kind === 'assigned')
      .map(({ detail }) => Number(detail));
    const people =
      ids.length === 0
        ? new Map<number, Colleague>()
        : await this.hooks.ask(PeopleDirectory).byIds(principal, [...new Set(ids)]);
    const told = (act: Act, at: Date, by: Doer | null) => ({
      ...{ at, by, what: act.kind },
      changes: act.changes ?? null,
      tag: act.kind === 'tagged' || act.kind === 'untagged' ? act.detail : null,
      assignee: act.kind === 'assigned' ? (people.get(Number(act.detail)) ?? null) : null,
    });
    const isKnown = (act: SubmissionAct) => clientId === null || act.clientId === clientId;
    return [
      ...before.map((mark) =>
        // Nothing says for whom they acted who gave marks before acts were kept.
        told(actOfGiving(mark.mark), mark.givenAt ?? timeOf(submissionId), giverOf(mark, clientId)),
      ),
      ...acts
        .filter((act) => act.kind !== 'seen' || isKnown(act))
        .map((act) => told(act, act.at, isKnown(act) ? doerOf(act) : null)),
    ];
  }
}

function isGiving({ kind, detail }: Act, { mark }: SubmissionMark) {
  const given = actOfGiving(mark);
  return kind === given.kind && detail === given.detail;
}

function doerOf({ actorKind: kind, actorId: id, actorName: name }: SubmissionAct): Doer {
  return { kind, id, name };
}

function giverOf({ givenBy }: SubmissionMark, clientId: number | null): Doer | null {
  return clientId === null && givenBy !== null ? { kind: null, id: null, name: givenBy } : null;
}
