import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Actor } from '../../access/principal.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import { AuditService } from '../../audit/audit.service.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { SessionsService } from '../../sessions/sessions.service.js';
import { Membership, type Standing } from './membership.entity.js';
import { MembershipsRepository } from './memberships.repository.js';
import { personTarget } from './person-audit.service.js';
import { Passwords } from '../person/passwords.js';
import { PeopleRepository } from '../person/people.repository.js';
import { Person, type PersonDetails } from '../person/person.entity.js';

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
