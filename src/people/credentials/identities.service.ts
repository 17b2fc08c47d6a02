import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { IdentitiesRepository, PasskeysRepository } from './credentials.repository.js';
import { PeopleRepository } from '../person/people.repository.js';
import type { Actor, Principal, Scope } from '../../accounts/access/index.js';
import { AuditService } from '../../accounts/audit/audit.service.js';
import { UnitOfWork } from '../../platform/database/index.js';
import { Identity } from './credential.entity.js';
import { MembershipsRepository } from '../members/memberships.repository.js';
import { MembersService, actorOf, personTarget } from '../members/members.service.js';
import type { Person } from '../person/person.entity.js';
import { PeopleMailService } from '../links/people-mail.service.js';
import type { SignedIn } from '../sign-in/sign-in.service.js';
import { IdentityNotFound, LastWayIn } from '../person/person.errors.js';

/** Lists and removes what people are known by at a provider. */
@Injectable()
export class IdentitiesService {
  constructor(
    private readonly identities: IdentitiesRepository,
    private readonly people: PeopleRepository,
    private readonly members: MembersService,
    private readonly memberships: MembershipsRepository,
    private readonly passkeys: PasskeysRepository,
    private readonly mails: PeopleMailService,
    private readonly audit: AuditService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Returns the identities of a person, oldest first. */
  listOf({ id }: Person): Promise<Identity[]> {
    return this.identities.listOf(id);
  }

  /**
   * Returns the identities of a member of the account, oldest first.
   * @throws PersonNotFound
   */
  async list(scope: Scope, personId: number): Promise<Identity[]> {
    const { person } = await this.members.show(scope, personId, null);
    return this.identities.listOf(person.id);
  }

  /**
   * Removes an identity of the person who is signed in.
   * @throws IdentityNotFound
   * @throws LastWayIn when the person could not sign in any more
   */
  async removeOwn({ person, principal }: SignedIn, id: Buffer | null, address: string) {
    const actor = actorOf(person, address);
    await this.remove(actor, principal?.accountId ?? null, person, id, (tx) => this.assertWayIn(tx, person.id));
    this.tell(person, address, 'identity-removed');
  }

  /**
   * Removes an identity of a member of the account.
   * @throws PersonNotFound, IdentityNotFound
   */
  async removeFor(principal: Principal, personId: number, id: Buffer | null) {
    const { person } = await this.members.show(principal, personId, null);
    await this.remove(principal.actor, principal.accountId, person, id);
  }

  /** Returns the person whom an identity is linked to; within a transaction, if there is one. */
  async personOf({ issuer, subject }: { issuer: string; subject: string }, tx?: EntityManager): Promise<Person | null> {
    const [identities, people] = tx ? [this.identities.in(tx), this.people.in(tx)] : [this.identities, this.people];
    const identity = await identities.findBySubject(issuer, subject);
    return identity && people.find(identity.personId);
  }

  /**
   * Looks, within the transaction that removed a way to sign in, whether another is left: a password, a passkey or an
   * identity at a provider. A mail is none, since there may be no mail server tomorrow.
   * @throws LastWayIn
   */
  async assertWayIn(tx: EntityManager, personId: number) {
    const { passwordHash } = await this.people.in(tx).getForUpdate(personId);
    if (passwordHash !== null) return;
    if ((await this.passkeys.in(tx).listOf(personId)).length > 0) return;
    if ((await this.identities.in(tx).listOf(personId)).length > 0) return;
    throw new LastWayIn();
  }

  /** Tells a person by mail, once the change is stored. */
  tell(person: Person, address: string, change: 'identity-linked' | 'identity-removed') {
    this.mails.mailAboutChange(person, change, this.unitOfWork.now(), address);
  }

  /**
   * Adds an identity to a person, within a transaction.
   * @throws IdentityTaken
   */
  async add(
    tx: EntityManager,
    person: Person,
    claims: { issuer: string; subject: string; email: string | null },
    address: string,
  ) {
    await this.identities.in(tx).insert(Identity.link(person.id, claims, this.unitOfWork.now()));
    const [membership] = await this.memberships.in(tx).listOf(person.id);
    await this.audit.record(tx, actorOf(person, address), {
      accountId: membership?.accountId ?? null,
      action: 'identity.linked',
      target: personTarget(person),
      details: { issuer: claims.issuer },
    });
  }

  private async remove(
    actor: Actor,
    accountId: number | null,
    person: Person,
    id: Buffer | null,
    check: (tx: EntityManager) => Promise<void> = () => Promise.resolve(),
  ) {
    if (id === null) throw new IdentityNotFound();
    await this.unitOfWork.run(async (tx) => {
      await this.identities.in(tx).remove(person.id, id);
      await check(tx);
      const target = personTarget(person);
      await this.audit.record(tx, actor, { accountId, action: 'identity.unlinked', target });
    });
  }
}
