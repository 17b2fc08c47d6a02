import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { hook, Hooks, Signals } from '../../platform/index.js';
import { FormQueries } from '../../forms/form-queries.service.js';
import type { Scope, Principal } from '../../accounts/access/index.js';
import { FORM_TOPICS } from '../../forms/model/form-changes.js';
import { UnitOfWork } from '../../platform/database/index.js';
import { UnknownAssignee } from '../../submissions/model/submission.errors.js';
import { SubmissionsService } from '../../submissions/submissions.service.js';
import { assigneeIn, assignedTo } from '../../submissions/filter/submission-filter.js';
import { MarksRepository } from '../marks/marks.repository.js';
import { TriageService } from '../marks/triage.service.js';

/** A person who looks after forms with others. */
export interface Colleague {
  id: number;
  name: string;
  email: string;
  /** Whether the address is known to be theirs; else it gets no mail. */
  isVerified: boolean;
}

/**
 * Tells who looks after forms. A scope of the account knows all people of it and of its clients; one of a client
 * knows the people of that client and no others.
 */
export interface Directory {
  /** Returns who is known and sees the form, by name; without a form those who see every form of the scope. */
  whoSees(scope: Scope, formId: number | null): Promise<Colleague[]>;
  /** Finds somebody who is known by address, in any case of letters. */
  byEmail(scope: Scope, email: string): Promise<Colleague | null>;
  /** Returns which of these people are known, by id. */
  byIds(scope: Scope, ids: readonly number[]): Promise<Map<number, Colleague>>;
  /** Returns which of these forms a person sees; null for nobody who is known, or who may not sign in. */
  seenBy(scope: Scope, personId: number, formIds: readonly number[]): Promise<number[] | null>;
}

/** Asks for the people of accounts. */
export const PeopleDirectory = hook<() => Directory>();

/** Keeps who is to deal with which submission. */
@Injectable()
export class AssigneesService {
  constructor(
    private readonly forms: FormQueries,
    private readonly submissions: SubmissionsService,
    private readonly marks: MarksRepository,
    private readonly triage: TriageService,
    private readonly hooks: Hooks,
    private readonly unitOfWork: UnitOfWork,
    private readonly signals: Signals,
  ) {}

  /**
   * Returns to whom submissions of a form can be assigned, by name; without a form, those who see every form of
   * the scope.
   * @throws FormNotFound
   */
  async choices(principal: Principal, identifier: string | null): Promise<Colleague[]> {
    const form = identifier === null ? null : await this.forms.get(principal, identifier);
    return this.choicesIn(principal, form?.id ?? null);
  }

  /** Does the same for a form whose scope was checked already. */
  choicesIn(scope: Scope, formId: number | null): Promise<Colleague[]> {
    return this.hooks.ask(PeopleDirectory).whoSees(scope, formId);
  }

  /**
   * Returns the id of the person that a submission is assigned to; null for nobody.
   * @throws FormNotFound, SubmissionNotFound
   */
  async show(principal: Principal, identifier: string, id: Buffer | null): Promise<number | null> {
    const { submission } = await this.submissions.locate(principal, identifier, id);
    return (await this.idsOf([submission.id])).get(submission.id.toString('latin1')) ?? null;
  }

  /**
   * Assigns a submission to a person who sees its form, or to nobody.
   * @returns to whom it was assigned before
   * @throws FormNotFound, SubmissionNotFound, UnknownAssignee
   * @throws MissingRight, ActionForbidden
   */
  async assign(
    principal: Principal,
    identifier: string,
    id: Buffer | null,
    personId: number | null,
  ): Promise<number | null> {
    const before = await this.show(principal, identifier, id);
    const form = await this.forms.get(principal, identifier);
    if (personId !== null) {
      const seen = await this.hooks.ask(PeopleDirectory).seenBy(principal, personId, [form.id]);
      if (!seen?.includes(form.id)) throw new UnknownAssignee('assignee.person_id');
    }
    const ids = id ? [id] : [];
    const assignee = { assignee: personId };
    await this.unitOfWork.run((tx) => this.triage.changeWithin(tx, principal, form.id, ids, {}, assignee));
    this.signals.give(FORM_TOPICS.changed, form.id);
    return before;
  }

  /** Returns the people that these submissions, which are in the scope, are assigned to, by their ids as Latin-1. */
  async idsOf(ids: readonly Buffer[]): Promise<Map<string, number>> {
    const marks = await this.marks.of(ids);
    const found = [...marks].map(([key, names]) => [key, assigneeIn(names)] as const);
    return new Map(found.filter((each): each is [string, number] => each[1] !== null));
  }

  /** Returns which of these people the scope knows. */
  named(scope: Scope, ids: readonly number[]): Promise<Map<number, Colleague>> {
    return this.hooks.ask(PeopleDirectory).byIds(scope, ids);
  }

  /** Ends the assignments of a person in these forms, within the transaction that takes the forms from them. */
  async end(tx: EntityManager, personId: number, formIds: readonly number[]) {
    await this.marks.in(tx).removeFrom(formIds, assignedTo(personId));
  }
}
