import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { hook, Hooks } from '../../platform/index.js';
import { Membership, type Standing } from './membership.entity.js';
import {
  type Actor,
  type Principal,
  type Scope,
  type Right,
  rightsOfActions,
  rightsOfRole,
} from '../../accounts/access/index.js';
import type { AuditEvent, AuditTarget } from '../../accounts/audit/audit-entry.entity.js';
import { AuditService } from '../../accounts/audit/audit.service.js';
import { Person, type PersonDetails } from '../person/person.entity.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import { UnitOfWork } from '../../platform/database/index.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { MembershipsRepository } from './memberships.repository.js';
import { PeopleRepository } from '../person/people.repository.js';
import { Passwords } from '../person/passwords.js';
import { ClientsService } from '../../clients/clients.service.js';
import type { Session } from '../sessions/session.entity.js';
import { ColleaguesService } from './colleagues.service.js';
import { LastOwner, OwnRole, PersonNotFound, RoleExceeded } from '../person/person.errors.js';

/**
 * Tells whether who has a membership may see the pages as somebody of the same account. Another owner sees
 * the same, and who is kept out sees nothing.
 */
export function maySeeAs(own: Membership, { person, membership }: Member) {
  return own.role === 'owner' && membership.role !== 'owner' && membership.disabledAt === null && !person.isDisabled;
}

/** An action of people, on themselves unless it names a target, and its details. */
export type PersonEvent = Pick<AuditEvent, 'action' | 'details'> & { target?: AuditTarget };

/** A person who does something, and where they act; nowhere by default. */
interface Doer {
  person: Person;
  principal?: { accountId: number } | null;
}

/** Records what people do. */
@Injectable()
export class PersonAudit {
  constructor(private readonly audit: AuditService) {}

  /** @param address of the network that the person is at */
  record(tx: EntityManager, doer: Doer, address: string | null, event: PersonEvent) {
    return this.audit.record(tx, actorOf(doer.person, address), eventOf(doer, event));
  }

  /** Records an action that changes no row. */
  recordAlone(doer: Doer, address: string, event: PersonEvent) {
    return this.audit.recordAlone(actorOf(doer.person, address), eventOf(doer, event));
  }
}

/** Returns a person as the target of an audit entry. */
export function personTarget({ id, name }: Person): AuditTarget {
  return { kind: 'person', id, name };
}

/** Returns a person as the actor of an audit entry. */
export function actorOf({ id, name, timeZone }: Person, address: string | null): Actor {
  return { kind: 'person', id, name, address, timeZone };
}

function eventOf({ person, principal }: Doer, event: PersonEvent): AuditEvent {
  return { target: personTarget(person), ...event, accountId: principal?.accountId ?? null };
}

/** A person and one of their memberships. */
export interface Member {
  person: Person;
  membership: Membership;
}

/** Creates and changes the people of the instance, whatever accounts they belong to. */
@Injectable()
export class PeopleService {
  constructor(
    private readonly people: PeopleRepository,
    private readonly memberships: MembershipsRepository,
    private readonly passwords: Passwords,
    private readonly accounts: AccountsService,
    private readonly sessions: SessionsService,
    private readonly audit: AuditService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Returns a person by an id from another row; null for nobody. */
  find(id: number): Promise<Person | null> {
    return this.people.find(id);
  }

  /** Finds a person by address, in any case of letters. */
  findByEmail(email: string): Promise<Person | null> {
    return this.people.findByEmail(email);
  }

  /** Returns everybody, oldest first. */
  list(): Promise<Person[]> {
    return this.people.list();
  }

  /** Counts the people of every account, for operators. */
  countByAccount(): Promise<Map<number, number>> {
    return this.memberships.countByAccount();
  }

  /** Returns the memberships of a person, oldest first. */
  membershipsOf(personId: number): Promise<Membership[]> {
    return this.memberships.listOf(personId);
  }

  /**
   * Creates a person who signs in with a password, with a membership of an account. Whoever runs the service
   * does so, and vouches for the address.
   * @throws AccountNotFound, PasswordRefused, PersonEmailTaken
   */
  async create(
    actor: Actor,
    details: PersonDetails,
    password: string,
    accountId: number,
    standing: Standing,
  ): Promise<Member> {
    const account = await this.accounts.get(accountId);
    const ownWords = [details.name, details.email, account.name];
    const passwordHash = await this.passwords.choose(password, ownWords, false);
    return this.unitOfWork.run(async (tx) => {
      const now = this.unitOfWork.now();
      const vouched = { passwordHash, verifiedAt: now };
      const person = Object.assign(Person.create(details, now), vouched);
      await this.people.in(tx).save(person);
      const membership = await this.join(tx, actor, person, accountId, standing, now);
      return { person, membership };
    });
  }

  /**
   * Makes a person a member of an account or a person of a client, within a transaction.
   * @throws MembershipExists
   */
  async join(
    tx: EntityManager,
    actor: Actor,
    person: Person,
    accountId: number,
    standing: Standing,
    now: Date,
  ): Promise<Membership> {
    const membership = Membership.create(person.id, accountId, standing, now);
    await this.memberships.in(tx).save(membership);
    await this.audit.record(tx, actor, {
      accountId,
      action: 'person.joined',
      target: personTarget(person),
      details: detailsOf(standing),
    });
    return membership;
  }

  /**
   * Keeps a person from signing in anywhere and ends their sessions, or lets them sign in again.
   * @throws PersonNotFound
   */
  disable(actor: Actor, email: string, isDisabled: boolean): Promise<Person> {
    return this.unitOfWork.run(async (tx) => {
      const person = await this.people.in(tx).getByEmail(email);
      const disabledAt = isDisabled ? this.unitOfWork.now() : null;
      await this.people.in(tx).update(person, { disabledAt });
      if (isDisabled) await this.sessions.endAllOf(tx, person.id);
      const action = isDisabled ? 'person.disabled' : 'person.enabled';
      await this.audit.record(tx, actor, { accountId: null, action, target: personTarget(person) });
      return person;
    });
  }

  /**
   * Makes a person an operator, who sees the state of the whole instance, or no longer one.
   * @throws PersonNotFound
   */
  makeOperator(actor: Actor, email: string, isOperator: boolean): Promise<Person> {
    return this.unitOfWork.run(async (tx) => {
      const person = await this.people.in(tx).getByEmail(email);
      await this.people.in(tx).update(person, { isOperator });
      await this.audit.record(tx, actor, {
        accountId: null,
        action: 'person.operator_changed',
        target: personTarget(person),
        details: { operator: isOperator },
      });
      return person;
    });
  }
}

/** Returns the details of an audit entry about a membership. */
export function detailsOf(standing: Standing): Record<string, string | number> {
  return standing.clientId === null
    ? { role: standing.role }
    : { client_id: standing.clientId, actions: standing.actions.join(',') };
}

/**
 * Runs in each transaction that removes a person from the account or from a client, with what they still belong to.
 */
export const MemberRemoved =
  hook<(tx: EntityManager, scope: Scope, person: Person, left: readonly Scope[]) => Promise<void>>();

/**
 * Lists, changes and removes the people of an account, or of one of its clients. A client itself sees no
 * people. Nobody gives or takes rights that they lack, nobody changes their own role, and an account
 * always has an owner who can sign in.
 */
@Injectable()
export class MembersService {
  constructor(
    private readonly memberships: MembershipsRepository,
    private readonly people: PeopleRepository,
    private readonly clients: ClientsService,
    private readonly colleagues: ColleaguesService,
    private readonly sessions: SessionsService,
    private readonly audit: AuditService,
    private readonly unitOfWork: UnitOfWork,
    private readonly hooks: Hooks,
  ) {}

  /**
   * Returns the people of a client, or the members of the account when `clientId` is null; oldest first.
   * @throws ClientNotFound
   */
  async list(scope: Scope, clientId: number | null): Promise<Member[]> {
    if (clientId !== null) await this.clients.show(scope, clientId);
    if (scope.clientId !== null) return [];
    return this.withPeople(await this.memberships.listIn(scope.accountId, [clientId]));
  }

  /** Returns the members of the account, and the people of all its clients; oldest first. */
  async listAll(scope: Scope): Promise<Member[]> {
    if (scope.clientId !== null) return [];
    return this.withPeople(await this.memberships.listAll(scope.accountId));
  }

  private async withPeople(memberships: readonly Membership[]): Promise<Member[]> {
    const people = await this.people.byIds(memberships.map(({ personId }) => personId));
    return memberships.flatMap((membership) => {
      const person = people.get(membership.personId);
      return person ? [{ person, membership }] : [];
    });
  }

  /**
   * Shows one person of the account, or of one of its clients.
   * @throws PersonNotFound, ClientNotFound
   */
  async show(scope: Scope, personId: number, clientId: number | null): Promise<Member> {
    const members = await this.list(scope, clientId);
    const member = members.find(({ person }) => person.id === personId);
    if (!member) throw new PersonNotFound();
    return member;
  }

  /**
   * Returns the sessions of a person of the account, or of one of its clients, newest first.
   * @throws PersonNotFound, ClientNotFound
   */
  async sessionsOf(scope: Scope, personId: number, clientId: number | null): Promise<Session[]> {
    const { person } = await this.show(scope, personId, clientId);
    return this.sessions.list(person.id);
  }

  /**
   * Signs a person out everywhere, at once.
   * @throws PersonNotFound, OwnRole, RoleExceeded
   */
  endSessions(principal: Principal, personId: number, clientId: number | null): Promise<Member> {
    return this.alter(principal, personId, clientId, async (tx) => {
      await this.sessions.endAllOf(tx, personId);
      return { action: 'person.sessions_ended' };
    });
  }

  /**
   * Changes a person's role, or their actions for a client; disables or enables them here, at once. What is
   * null stays as it is.
   * @throws PersonNotFound, OwnRole, RoleExceeded, LastOwner
   */
  change(
    principal: Principal,
    personId: number,
    clientId: number | null,
    { standing, isDisabled }: { standing: Standing | null; isDisabled: boolean | null },
  ): Promise<Member> {
    return this.alter(principal, personId, clientId, async (tx, { membership }) => {
      if (standing) assertMayGive(principal, standing);
      if (standing) membership.become(standing);
      if (isDisabled !== null) membership.disabledAt = isDisabled ? this.unitOfWork.now() : null;
      await this.memberships.in(tx).save(membership);
      return {
        action: 'person.changed',
        details: { ...(standing && detailsOf(standing)), ...(isDisabled !== null && { disabled: isDisabled }) },
      };
    });
  }

  /**
   * Removes a person from the account, or from the client, at once.
   * @throws PersonNotFound, OwnRole, RoleExceeded, LastOwner
   */
  remove(principal: Principal, personId: number, clientId: number | null): Promise<Member> {
    return this.alter(principal, personId, clientId, async (tx, { person, membership }) => {
      await this.memberships.in(tx).remove(membership);
      const left = await this.memberships.in(tx).listOfThese(principal.accountId, [personId]);
      await this.hooks.run(MemberRemoved, tx, membership, person, left);
      return { action: 'person.removed' };
    });
  }

  /** Changes or removes a membership, under the rules that hold for both. */
  private async alter(
    principal: Principal,
    personId: number,
    clientId: number | null,
    change: (tx: EntityManager, member: Member) => Promise<Pick<AuditEvent, 'action' | 'details'>>,
  ): Promise<Member> {
    const { accountId, actor } = principal;
    if (principal.clientId !== null) throw new PersonNotFound();
    if (actor.kind === 'person' && actor.id === personId) throw new OwnRole();
    return this.unitOfWork.run(async (tx) => {
      // All owners are locked first and in one order, so that two who act on each other do not deadlock.
      const before = clientId === null ? await this.memberships.in(tx).listOwnersForUpdate(accountId) : [];
      const membership = await this.memberships.in(tx).getForUpdate(accountId, clientId, personId);
      const person = await this.people.in(tx).get(personId);
      assertMayGive(principal, standingOf(membership));
      const { action, details } = await change(tx, { person, membership });
      await this.colleagues.endUnseen(tx, accountId, personId);
      if (before.some(({ id }) => id === membership.id)) await this.assertOwned(tx, accountId);
      await this.audit.record(tx, actor, {
        accountId,
        action,
        target: personTarget(person),
        details: { ...(clientId !== null && { client_id: clientId }), ...details },
      });
      return { person, membership };
    });
  }

  /** @throws LastOwner */
  private async assertOwned(tx: EntityManager, accountId: number) {
    const owners = await this.memberships.in(tx).listOwnersForUpdate(accountId);
    const people = await this.people.in(tx).byIds(owners.map(({ personId }) => personId));
    const isOwned = owners.some(
      ({ personId, disabledAt }) => disabledAt === null && people.get(personId)?.disabledAt === null,
    );
    if (!isOwned) throw new LastOwner();
  }
}

/** @throws RoleExceeded when the principal may not do all that it would give or take */
export function assertMayGive(principal: Principal, standing: Standing) {
  const given: readonly Right[] =
    standing.clientId === null ? rightsOfRole(standing.role) : rightsOfActions(standing.actions, false);
  const lacking = given.filter((right) => !principal.has(right));
  if (lacking.length > 0) throw new RoleExceeded(lacking);
}

function standingOf({ clientId, role, actions }: Membership): Standing {
  return clientId === null ? { clientId, role: role ?? 'viewer' } : { clientId, actions };
}
