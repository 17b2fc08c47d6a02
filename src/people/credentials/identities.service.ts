import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { IdentitiesRepository, PasskeysRepository } from './credentials.repository.js';
import { LastWayIn, IdentityNotFound, PasskeyNotFound, TooManyPasskeys } from './credential.js';
import { PeopleRepository } from '../person/people.repository.js';
import type { Actor, Principal, Scope } from '../../access/principal.js';
import { AuditService } from '../../audit/audit.service.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Identity, Passkey } from './credential.entity.js';
import { MembershipsRepository } from '../members/memberships.repository.js';
import { MembersService, actorOf, personTarget, PersonAudit } from '../members/members.service.js';
import type { Person } from '../person/person.entity.js';
import { PeopleMailService } from '../links/people-mail.service.js';
import type { SignedIn } from '../sign-in/sign-in.service.js';
import { OwnChanges } from '../sign-in/own-changes.service.js';
import { inPortions } from '../../platform/background/leased-work.js';
import { CeremoniesService, NO_SESSION, type AnsweredChallenge } from './ceremonies.service.js';
import type { NewPasskey } from './passkey.js';
import { BackgroundTask, type TaskRun } from '../../platform/background/task-runner.js';
import { HOUR_MS } from '../../platform/kernel/time.js';

/** Keeps people from removing their last way to sign in. */
@Injectable()
export class WaysIn {
  constructor(
    private readonly people: PeopleRepository,
    private readonly passkeys: PasskeysRepository,
    private readonly identities: IdentitiesRepository,
  ) {}

  /**
   * Looks, within the transaction that removed a way, whether another is left: a password, a passkey or an
   * identity at a provider. A mail is none, since there may be no mail server tomorrow.
   * @throws LastWayIn
   */
  async assertLeft(tx: EntityManager, personId: number): Promise<void> {
    const { passwordHash } = await this.people.in(tx).getForUpdate(personId);
    if (passwordHash !== null) return;
    if ((await this.passkeys.in(tx).listOf(personId)).length > 0) return;
    if ((await this.identities.in(tx).listOf(personId)).length > 0) return;
    throw new LastWayIn();
  }
}

/** Lists and removes what people are known by at a provider. */
@Injectable()
export class IdentitiesService {
  constructor(
    private readonly identities: IdentitiesRepository,
    private readonly people: PeopleRepository,
    private readonly members: MembersService,
    private readonly memberships: MembershipsRepository,
    private readonly waysIn: WaysIn,
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
    await this.remove(actor, principal?.accountId ?? null, person, id, (tx) =>
      this.waysIn.assertLeft(tx, person.id),
    );
    this.tell(person, address, 'identity-removed');
  }

  /**
   * Removes an identity of a member of the account.
   * @throws PersonNotFound, IdentityNotFound
   */
  async removeFor(principal: Principal, personId: number, id: Buffer | null): Promise<void> {
    const { person } = await this.members.show(principal, personId, null);
    await this.remove(principal.actor, principal.accountId, person, id);
  }

  /** Returns the person whom an identity is linked to; within a transaction, if there is one. */
  async personOf(
    { issuer, subject }: { issuer: string; subject: string },
    tx?: EntityManager,
  ): Promise<Person | null> {
    const [identities, people] = tx
      ? [this.identities.in(tx), this.people.in(tx)]
      : [this.identities, this.people];
    const identity = await identities.findBySubject(issuer, subject);
    return identity && people.find(identity.personId);
  }

  /** Tells a person by mail, once the change is stored. */
  tell(person: Person, address: string, change: 'identity-linked' | 'identity-removed'): void {
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
  ): Promise<void> {
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
  ): Promise<void> {
    if (id === null) throw new IdentityNotFound();
    await this.unitOfWork.run(async (tx) => {
      await this.identities.in(tx).remove(person.id, id);
      await check(tx);
      const target = personTarget(person);
      await this.audit.record(tx, actor, { accountId, action: 'identity.unlinked', target });
    });
  }
}

/** Most passkeys of a person: more than anybody has devices; a browser gets the list of all of them. */
const PASSKEYS_MAX = 20;

/** A passkey that was checked, and the challenge that it answers. */
export interface CheckedPasskey {
  made: NewPasskey;
  challenge: AnsweredChallenge;
}

/** Adds, lists and removes the passkeys of people. */
@Injectable()
export class PasskeysService {
  constructor(
    private readonly passkeys: PasskeysRepository,
    private readonly ceremonies: CeremoniesService,
    private readonly waysIn: WaysIn,
    private readonly changes: OwnChanges,
    private readonly audit: PersonAudit,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Tells whether browsers keep passkeys for the address of this service. */
  get arePossible(): boolean {
    return this.ceremonies.arePossible;
  }

  /** Returns the passkeys of a person, oldest first. */
  listOf({ id }: Person): Promise<Passkey[]> {
    return this.passkeys.listOf(id);
  }

  /**
   * Returns what a browser needs to make a passkey for a person who is signed in.
   * @throws PasskeysOff, TooManyPasskeys
   */
  async optionsToAdd({ person, session }: SignedIn) {
    const known = await this.passkeys.listOf(person.id);
    assertRoom(known.length);
    return this.ceremonies.optionsToMake('further', person, known, session.id);
  }

  /**
   * Stores a passkey that the browser made, and ends all other sessions.
   * @param credential as the browser answers `optionsToAdd`
   * @throws PasskeysOff, PasskeyRefused, PasskeyKnown, TooManyPasskeys
   */
  async add(
    signedIn: SignedIn,
    name: string,
    credential: unknown,
    address: string,
  ): Promise<Passkey> {
    const checked = await this.ceremonies.checkMade('further', credential, signedIn.session.id);
    const make = this.changes.make(signedIn, address, 'passkey-added', async (tx, person) => {
      assertRoom((await this.passkeys.in(tx).listOf(person.id)).length);
      const passkey = await this.keep(tx, person, name, checked);
      return { action: 'person.factor_added', details: detailsOf(passkey), passkey };
    });
    return (await make).passkey;
  }

  /** @throws PasskeyNotFound */
  async rename(
    signedIn: SignedIn,
    id: Buffer | null,
    name: string,
    address: string,
  ): Promise<Passkey> {
    return this.unitOfWork.run(async (tx) => {
      const passkey = await this.passkeys.in(tx).get(signedIn.person.id, known(id));
      await this.passkeys.in(tx).rename(passkey, name);
      await this.audit.record(tx, signedIn, address, {
        action: 'person.passkey_renamed',
        details: { passkey: name, before: passkey.name },
      });
      return Object.assign(passkey, { name });
    });
  }

  /**
   * Removes a passkey, and ends all other sessions.
   * @throws PasskeyNotFound
   * @throws LastWayIn when the person could not sign in any more
   */
  async remove(signedIn: SignedIn, id: Buffer | null, address: string): Promise<void> {
    await this.changes.make(signedIn, address, 'passkey-removed', async (tx, person) => {
      const passkey = await this.passkeys.in(tx).get(person.id, known(id));
      await this.passkeys.in(tx).remove(passkey);
      await this.waysIn.assertLeft(tx, person.id);
      return { action: 'person.factor_removed', details: detailsOf(passkey) };
    });
  }

  /**
   * Returns what a browser needs to make the first passkey of a new person.
   * @throws PasskeysOff
   */
  optionsForNew(details: { email: string; name: string }) {
    return this.ceremonies.optionsToMake('first', details, [], NO_SESSION);
  }

  /** @throws PasskeysOff, PasskeyRefused */
  checkFirst(credential: unknown): Promise<CheckedPasskey> {
    return this.ceremonies.checkMade('first', credential, NO_SESSION);
  }

  /**
   * Stores a passkey of a person, within a transaction.
   * @throws PasskeyRefused when its challenge was answered before
   * @throws PasskeyKnown
   */
  async keep(
    tx: EntityManager,
    { id }: Person,
    name: string,
    { made, challenge }: CheckedPasskey,
  ): Promise<Passkey> {
    await this.passkeys.in(tx).useUp(challenge.digest, challenge.expiresAt);
    const passkey = Passkey.create(id, name, made, this.unitOfWork.now());
    await this.passkeys.in(tx).insert(passkey);
    return passkey;
  }

  /** Removes expired challenges. @returns how many */
  @BackgroundTask('forget answered challenges', HOUR_MS)
  forgetOld({ now, signal }: TaskRun): Promise<number> {
    return inPortions(
      () => this.unitOfWork.run((tx) => this.passkeys.in(tx).removeExpired(now)),
      signal,
    );
  }
}

/** @throws TooManyPasskeys */
function assertRoom(count: number): void {
  if (count >= PASSKEYS_MAX) throw new TooManyPasskeys(PASSKEYS_MAX);
}

/** @throws PasskeyNotFound for text that cannot be an id */
function known(id: Buffer | null): Buffer {
  if (id === null) throw new PasskeyNotFound();
  return id;
}

/** Returns the details of an audit entry about a passkey. */
function detailsOf({ name }: Passkey) {
  return { factor: 'passkey', passkey: name };
}
