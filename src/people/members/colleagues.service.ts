import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { IsMember } from '../../mail/mail-channel.js';
import { PeopleRepository } from '../person/people.repository.js';
import { MembershipsRepository } from './memberships.repository.js';
import type { Scope } from '../../accounts/access/index.js';
import { FormsTaken, type ClientKey } from '../../clients/clients.service.js';
import { FormQueries } from '../../forms/form-queries.service.js';
import {
  AssigneesService,
  PeopleDirectory,
  type Colleague,
  type Directory,
} from '../../triage/assignees/assignees.service.js';
import type { Membership } from './membership.entity.js';
import type { Person } from '../person/person.entity.js';

/** Says who looks after forms together, and ends the assignments of those who no longer see them. */
@Injectable()
export class ColleaguesService implements Directory {
  constructor(
    private readonly memberships: MembershipsRepository,
    private readonly people: PeopleRepository,
    private readonly access: FormQueries,
    private readonly assignees: AssigneesService,
  ) {}

  @PeopleDirectory()
  self(): Directory {
    return this;
  }

  @FormsTaken()
  async endUnseenOf(tx: EntityManager, { accountId, id }: ClientKey): Promise<void> {
    const people = await this.memberships.in(tx).listIn(accountId, [id]);
    for (const { personId } of people) await this.endUnseen(tx, accountId, personId);
  }

  async whoSees(scope: Scope, formId: number | null): Promise<Colleague[]> {
    const clientIds = formId === null ? [] : await this.access.clientsOf(formId);
    const places = scope.clientId === null ? [null, ...clientIds] : [scope.clientId];
    const memberships = await this.memberships.listIn(scope.accountId, places);
    const people = await this.people.byIds(memberships.filter(sees).map((each) => each.personId));
    return [...people.values()]
      .filter(({ isDisabled }) => !isDisabled)
      .map(colleague)
      .sort((a, b) => a.name.localeCompare(b.name, 'en') || a.id - b.id);
  }

  async byEmail(scope: Scope, email: string): Promise<Colleague | null> {
    const person = await this.people.findByEmail(email);
    return person && (await this.byIds(scope, [person.id])).get(person.id) ? colleague(person) : null;
  }

  async byIds(scope: Scope, ids: readonly number[]): Promise<Map<number, Colleague>> {
    const known = await this.membershipsOf(scope, ids);
    const people = await this.people.byIds(known.map(({ personId }) => personId));
    return new Map([...people].map(([id, person]) => [id, colleague(person)]));
  }

  async seenBy(scope: Scope, personId: number, formIds: readonly number[]): Promise<number[] | null> {
    const memberships = (await this.membershipsOf(scope, [personId])).filter(sees);
    const person = (await this.people.byIds([personId])).get(personId);
    if (memberships.length === 0 || !person || person.isDisabled) return null;
    if (memberships.some(({ role }) => role !== null)) return [...formIds];
    const seen = new Set(await this.access.formsOf(clientsIn(memberships)));
    return formIds.filter((id) => seen.has(id));
  }

  /** Ends what is assigned to a person where they see it no longer, in the transaction that takes it from them. */
  async endUnseen(tx: EntityManager, accountId: number, personId: number) {
    const all = await this.memberships.in(tx).listOf(personId);
    const here = all.filter((each) => each.accountId === accountId);
    if (here.some(({ role }) => role !== null)) return;
    const clientIds = clientsIn(here.filter(({ actions }) => actions.includes('see')));
    const hidden = await this.access.hiddenFrom(tx, accountId, clientIds);
    await this.assignees.end(tx, personId, hidden);
  }

  private async membershipsOf(scope: Scope, ids: readonly number[]) {
    const found = await this.memberships.listOfThese(scope.accountId, ids);
    return found.filter(({ clientId }) => scope.clientId === null || clientId === scope.clientId);
  }

  @IsMember()
  async isMember(accountId: number, email: string): Promise<boolean> {
    const person = await this.people.findByEmail(email);
    const found = person ? await this.memberships.listOf(person.id) : [];
    return found.some((each) => each.accountId === accountId && each.clientId === null);
  }
}

function clientsIn(memberships: readonly Membership[]) {
  return memberships.map(({ clientId }) => clientId).filter((id) => id !== null);
}

/** Tells whether a membership lets its person see the submissions of the forms that are theirs. */
function sees({ disabledAt, actions }: Membership) {
  return disabledAt === null && actions.includes('see');
}

function colleague({ id, name, email, verifiedAt }: Person): Colleague {
  return { id, name, email, isVerified: verifiedAt !== null };
}
