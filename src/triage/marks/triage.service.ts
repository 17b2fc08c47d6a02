import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SpamLessons, type MarkedSubmission } from '../../spam/learning/spam-lessons.service.js';
import { SubmissionsRepository } from '../../submissions/rows/submissions.repository.js';
import { MarksRepository } from './marks.repository.js';
import {
  isValued,
  tagged,
  tagsIn,
  ANSWERED,
  ASSIGNED,
  assignedTo,
  assigneeIn,
  STARRED,
  NOTHING_READ,
  type ReadState,
} from '../../submissions/filter/submission-filter.js';
import { BackgroundTask, type TaskRun, inPortions, SECOND_MS, Signals, inSlices } from '../../platform/index.js';
import { type Principal, ActionForbidden, RIGHT_FOR } from '../../accounts/access/index.js';
import { FORM_TOPICS } from '../../forms/model/form-changes.js';
import { statusesOf } from '../../forms/model/form-values.js';
import { UnitOfWork } from '../../platform/database/index.js';
import { SubmissionNotFound } from '../../submissions/model/submission.errors.js';
import { SubmissionsService } from '../../submissions/submissions.service.js';
import {
  SubmissionActs,
  type ActOnMany,
  actOfGiving,
  actOfTaking,
} from '../../submissions/acts/submission-acts.service.js';
import { FormQueries } from '../../forms/form-queries.service.js';
import { SubmissionIds } from '../../submissions/rows/submission-ids.js';
import type { Submission } from '../../submissions/model/submission.entity.js';
import { ReadStateRepository, readerOf } from '../read-state/read-state.repository.js';
import type { SubmissionMark } from './submission-mark.entity.js';

/** Reads marks together with what was submitted, for the spam filter to learn from. */
@Injectable()
export class MarkedSubmissions {
  constructor(
    private readonly submissions: SubmissionsRepository,
    private readonly marks: MarksRepository,
    private readonly lessons: SpamLessons,
  ) {}

  /** Has the filter learn from marks that were set or taken back since. */
  @BackgroundTask('learn from marks', SECOND_MS)
  async learn({ signal }: TaskRun): Promise<void> {
    await inPortions(() => this.lessons.learnSome((tx, ids) => this.read(tx, ids)), signal);
  }

  /** Reads any of these submissions, of whatever forms, that still exist, as `loadInOrder` does. */
  async *read(tx: EntityManager, ids: readonly Buffer[]): AsyncGenerator<MarkedSubmission[]> {
    const marks = await this.marks.in(tx).of(ids);
    for await (const some of this.submissions.in(tx).loadOfAll(ids)) {
      yield some.map(({ id, spam, done, values }) => ({
        id,
        isSpam: spam,
        isKept: done || isValued(marks.get(id.toString('latin1')) ?? []),
        fields: values.toText(),
      }));
    }
  }
}

/** Forms whose positions one transaction moves. */
const FORMS_AT_ONCE = 500;

/** The marks of a submission: `read` is that of whoever asks, the others are the same for all. */
export interface Marks {
  read: boolean;
  starred: boolean;
  answered: boolean;
  done: boolean;
}

/** The marks of a submission as lists show them. */
export interface ListedMarks extends Marks {
  /** In the order of the alphabet. */
  tags: string[];
  /** Id of the person that it is assigned to; null for nobody. */
  assigneeId: number | null;
}

/** Marks that submissions get and lose, and the id of the person that they are assigned to; null for nobody. */
interface OtherMarks {
  add?: readonly string[];
  remove?: readonly string[];
  assignee?: number | null;
}

/** Fields of a submission that marks need. */
export type Markable = Pick<Submission, 'id' | 'formId' | 'done'>;

/** Marks submissions as read, done, starred or answered. */
@Injectable()
export class TriageService {
  constructor(
    private readonly forms: FormQueries,
    private readonly submissions: SubmissionsService,
    private readonly ids: SubmissionIds,
    private readonly marks: MarksRepository,
    private readonly readState: ReadStateRepository,
    private readonly acts: SubmissionActs,
    private readonly lessons: SpamLessons,
    private readonly unitOfWork: UnitOfWork,
    private readonly signals: Signals,
  ) {}

  /** @throws FormNotFound, SubmissionNotFound */
  async show(principal: Principal, identifier: string, id: Buffer | null): Promise<Marks> {
    const { submission } = await this.submissions.locate(principal, identifier, id);
    const { read, starred, answered, done } = await this.marksOn(principal, submission);
    return { read, starred, answered, done };
  }

  /**
   * Changes marks of a submission; those not given stay. Whoever sees it may mark it as read.
   * @throws FormNotFound, SubmissionNotFound
   * @throws MissingRight, ActionForbidden for the other marks, without the right to triage
   */
  async change(principal: Principal, identifier: string, id: Buffer | null, changes: Partial<Marks>): Promise<Marks> {
    const form = await this.forms.view(principal, identifier);
    if (!id) throw new SubmissionNotFound();
    await this.unitOfWork.run((tx) => this.changeWithin(tx, principal, form.id, [id], changes));
    // What is read is the reader's own.
    const { starred, answered, done } = changes;
    if (starred !== undefined || answered !== undefined || done !== undefined) {
      this.signals.give(FORM_TOPICS.changed, form.id);
    }
    return this.show(principal, identifier, id);
  }

  /**
   * Marks as read what a form received so far.
   * @param identifier null: all forms in the scope
   * @param upTo the newest submission that is meant; by default all that are there
   * @throws FormNotFound
   */
  async readAll(principal: Principal, identifier: string | null, upTo?: Buffer) {
    const end = await this.ids.end();
    // What comes later is not read, whatever was named.
    const position = upTo && upTo.compare(end) < 0 ? upTo : end;
    const forms =
      identifier === null ? await this.forms.list(principal) : [await this.forms.view(principal, identifier)];
    const ids = forms.map(({ id }) => id);
    for (const some of inSlices(ids, FORMS_AT_ONCE)) {
      await this.unitOfWork.run((tx) => this.readState.in(tx).moveAllTo(readerOf(principal), some, position));
    }
  }

  /** Returns what whoever asks has read of these forms, for a filter. */
  readStateOf(principal: Principal, formIds: readonly number[]): Promise<ReadState> {
    return this.readState.state(readerOf(principal), formIds);
  }

  /** Returns the marks of a submission that is in the scope. */
  async marksOn(principal: Principal, submission: Markable): Promise<ListedMarks> {
    const [marks] = await this.marksOf(principal, [submission]);
    if (!marks) throw new SubmissionNotFound();
    return marks;
  }

  /** Returns the marks of submissions that are in the scope, in the order of the submissions. */
  async marksOf(principal: Principal, submissions: readonly Markable[]): Promise<ListedMarks[]> {
    const ids = submissions.map(({ id }) => id);
    const formIds = [...new Set(submissions.map(({ formId }) => formId))];
    const reader = readerOf(principal);
    const [marks, positions, exceptions] = await Promise.all([
      this.marks.of(ids),
      this.readState.positions(reader, formIds),
      this.readState.exceptions(reader, formIds, ids),
    ]);
    return submissions.map(({ id, formId, done }) => {
      const isBehind = id.compare(positions.get(formId) ?? NOTHING_READ) <= 0;
      const key = id.toString('latin1');
      return {
        read: isBehind !== exceptions.has(key),
        starred: marks.get(key)?.includes(STARRED) ?? false,
        answered: marks.get(key)?.includes(ANSWERED) ?? false,
        done,
        tags: tagsIn(marks.get(key) ?? []),
        assigneeId: assigneeIn(marks.get(key) ?? []),
      };
    });
  }

  /** Returns the marks of a submission, whose scope was checked already, with when and by whom they were given. */
  given(submissionId: Buffer): Promise<SubmissionMark[]> {
    return this.marks.listGiven(submissionId);
  }

  /**
   * Changes marks of several submissions of a form whose scope was checked already, within a transaction.
   * @param others what else they get and lose
   * @returns which ids of the form were not so before, each once for every change
   * @throws MissingRight, ActionForbidden
   */
  async changeWithin(
    tx: EntityManager,
    principal: Principal,
    formId: number,
    ids: readonly Buffer[],
    { read, starred, answered, done }: Partial<Marks>,
    { add = [], remove = [], assignee }: OtherMarks = {},
  ): Promise<Buffer[]> {
    const others = add.length + remove.length > 0 || assignee !== undefined;
    const tells = starred !== undefined || answered !== undefined || done !== undefined;
    if (tells || others) assertMayTriage(principal);
    const marks = this.marks.in(tx);
    const locked = await marks.lock(formId, ids);
    if (locked.length === 0) return [];
    const acts: ActOnMany[] = [];
    if (done !== undefined) {
      const changed = await marks.setDone(locked, done);
      acts.push({ kind: done ? 'done' : 'not_done', detail: null, ids: changed });
    }
    const given = assignee == null ? null : assignedTo(assignee);
    if (assignee !== undefined) {
      const had = await marks.removeOthers(locked, ASSIGNED, given ?? '');
      if (given === null) acts.push({ kind: 'unassigned', detail: null, ids: had });
    }
    const switched = Object.entries({ [STARRED]: starred, [ANSWERED]: answered });
    const switchedTo = (on: boolean) => switched.filter(([, is]) => is === on).map(([mark]) => mark);
    const added = [...add, ...switchedTo(true), ...(given === null ? [] : [given])];
    const form = add.length > 0 ? await this.forms.find(formId, tx) : null;
    const statuses = form ? statusesOf(form).map(tagged) : [];
    for (const mark of added) {
      acts.push(...(await this.takeOthers(marks, statuses, locked, mark)));
      const ids = await marks.add(formId, locked, mark, principal.actor, this.unitOfWork.now());
      acts.push({ ...actOfGiving(mark), ids });
    }
    const removed = [...remove, ...switchedTo(false)];
    for (const mark of removed) {
      acts.push({ ...actOfTaking(mark), ids: await marks.remove(locked, mark) });
    }
    await this.acts.record(tx, principal, formId, acts);
    const changed = acts.flatMap(({ ids }) => ids);
    if (tells) {
      await this.lessons.enqueue(tx, principal, formId, locked, null);
    }
    if (read !== undefined) {
      const { readState } = this;
      const ids = await readState.in(tx).setRead(readerOf(principal), formId, locked, read);
      changed.push(...ids);
    }
    return changed;
  }

  /** Takes from submissions the others of marks of which they have one at most, where a new mark is one of these. */
  private async takeOthers(marks: MarksRepository, exclusive: readonly string[], ids: readonly Buffer[], mark: string) {
    if (!exclusive.includes(mark)) return [];
    const held = new Set([...(await marks.of(ids)).values()].flat());
    const acts: ActOnMany[] = [];
    for (const other of exclusive.filter((each) => each !== mark && held.has(each))) {
      acts.push({ ...actOfTaking(other), ids: await marks.remove(ids, other) });
    }
    return acts;
  }

  /**
   * Returns the tags of a submission, in the order of the alphabet.
   * @throws FormNotFound, SubmissionNotFound
   */
  async tagsOf(principal: Principal, identifier: string, id: Buffer | null): Promise<string[]> {
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
    const statuses = statusesOf(form).map(tagged);
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
      // Of two statuses, the last is kept.
      for (const tag of new Set(added)) {
        acts.push(...(await this.takeOthers(marks, statuses, locked, tagged(tag))));
        const { actor } = principal;
        const ids = await marks.add(form.id, locked, tagged(tag), actor, this.unitOfWork.now());
        acts.push({ kind: 'tagged', detail: tag, ids });
      }
      await this.acts.record(tx, principal, form.id, acts);
    });
    this.signals.give(FORM_TOPICS.changed, form.id);
    return this.tagsOf(principal, identifier, id);
  }
}

/** @throws MissingRight, ActionForbidden */
export function assertMayTriage(principal: Principal) {
  principal.assertHas(RIGHT_FOR.triage);
  if (!principal.may('triage')) throw new ActionForbidden('triage');
}
