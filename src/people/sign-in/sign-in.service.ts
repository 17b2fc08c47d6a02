import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { PublicAddresses, type HostHolder } from '../../clients/hosts/hosts.service.js';
import { UnitOfWork } from '../../platform/database/index.js';
import { SessionsService, type BegunSession } from '../sessions/sessions.service.js';
import { MembershipsRepository } from '../members/memberships.repository.js';
import { SignInRefused, PersonNotFound, ViewOver } from '../person/person.errors.js';
import { PeopleMailService, type SignInChange } from '../links/people-mail.service.js';
import {
  PersonAudit,
  type PersonEvent,
  actorOf,
  personTarget,
  type Member,
  maySeeAs,
} from '../members/members.service.js';
import { PeopleRepository } from '../person/people.repository.js';
import { Passwords } from '../person/passwords.js';
import { Person } from '../person/person.entity.js';
import { AuditService } from '../../accounts/audit/audit.service.js';
import { formatUuid, RateLimits, type SignInTry } from '../../platform/index.js';
import { type Actor, Principal, type Scope, rightsOfActions, rightsOfRole } from '../../accounts/access/index.js';
import { ClientsService } from '../../clients/clients.service.js';
import type { Device, Session, SignInWay } from '../sessions/session.entity.js';
import type { Membership } from '../members/membership.entity.js';
import { browserNameOf } from '../sessions/browser-name.js';

/**
 * Says who may be signed in under the host of a client: people who belong to that client alone. The host may lead
 * elsewhere one day, with the cookies that browsers send to it.
 */
@Injectable()
export class HostAdmission {
  constructor(
    private readonly memberships: MembershipsRepository,
    private readonly sessions: SessionsService,
    private readonly addresses: PublicAddresses,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Returns the address that a link for a person leads to: the client's host where it was asked for, if the person
   * belongs to that client alone. Who has a host can read what links to it carry.
   */
  async addressFor(personId: number, at: HostHolder | null) {
    const isTheirs = at !== null && (await this.admits(personId, at.clientId));
    return this.addresses.ofClient(isTheirs ? at.clientId : null);
  }

  async admits(personId: number, clientId: number) {
    const memberships = await this.memberships.listOf(personId);
    return memberships.length > 0 && memberships.every((each) => each.clientId === clientId);
  }

  /** Ends a session that has just begun where its person may not be signed in. @throws SignInRefused */
  async admit(clientId: number, { session: { personId, id } }: BegunSession) {
    if (await this.admits(personId, clientId)) return;
    await this.unitOfWork.run((tx) => this.sessions.end(tx, personId, id));
    throw new SignInRefused();
  }
}

/** Stands for a person whom nobody knows in the audit log. */
const UNKNOWN = { kind: 'person', id: null, name: null };
/** An id that no person has, so that an unknown address takes the same queries as a known one. */
const NOBODY = 0;

/** Limits and records what people try who are not signed in yet. An unknown person takes as long as a known one. */
@Injectable()
export class SignInTries {
  constructor(
    private readonly memberships: MembershipsRepository,
    private readonly sessions: SessionsService,
    private readonly limits: RateLimits,
    private readonly audit: AuditService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Admits a try to sign in, or a request for a mail to sign in with.
   * @param tried the email address, or what else stands for the person
   * @throws RateLimited when there were too many of them lately
   */
  async admit(way: SignInTry, person: Person | null, tried: string, address: string) {
    const isKnown = await this.sessions.isKnownAddress(person?.id ?? NOBODY, address);
    this.limits.admitSignIn(way, address, Person.keyOf(tried), isKnown);
  }

  /** Admits a code for a request. @throws RateLimited after too many tries for it */
  admitCode(requestId: Buffer) {
    this.limits.admit('sign-in-code', formatUuid(requestId));
  }

  /** Admits a departure to the provider. @throws RateLimited when there were too many from the network */
  admitDeparture(address: string) {
    this.limits.admitDeparture(address);
  }

  /** Records a try. @param store what is stored with it, in the same transaction */
  async record(
    person: Person | null,
    address: string,
    event: PersonEvent,
    store?: (tx: EntityManager) => Promise<void>,
  ) {
    const [membership] = await this.memberships.listOf(person?.id ?? NOBODY);
    const actor = person ? actorOf(person, address) : ({ kind: 'person', id: null, name: 'Unknown', address } as const);
    const target = person ? personTarget(person) : UNKNOWN;
    await this.unitOfWork.run(async (tx) => {
      await store?.(tx);
      const accountId = membership?.accountId ?? null;
      await this.audit.record(tx, actor, { ...event, accountId, target });
    });
  }
}

/** A person who opened a page, as the cookie of their session says. */
export interface SignedIn {
  session: Session;
  person: Person;
  /** The membership that the person acts under at the moment; null for none. */
  membership: Membership | null;
  /** Null without a membership that is enabled; that of the other person while there is a view. */
  principal: Principal | null;
  /** As whom an owner sees the pages at the moment, only reading; null for oneself. */
  view: Member | null;
  /** Whether the person sees the state of the whole instance; never while there is a view. */
  isOperator: boolean;
  /** Whether the last proof is younger than ten minutes. */
  isFresh: boolean;
}

/** Signs people in and out, and recognises them afterwards. */
@Injectable()
export class SignInService {
  constructor(
    private readonly people: PeopleRepository,
    private readonly memberships: MembershipsRepository,
    private readonly passwords: Passwords,
    private readonly sessions: SessionsService,
    private readonly clients: ClientsService,
    private readonly tries: SignInTries,
    private readonly mails: PeopleMailService,
    private readonly audit: PersonAudit,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Signs in by a password. An unknown address, a wrong password and a disabled person get the same
   * answer after the same work.
   * @returns a session that opens nothing yet when the person has a second factor to show
   * @throws SignInRefused
   * @throws RateLimited when there were too many tries lately
   */
  async signIn(email: string, password: string, device: Device): Promise<BegunSession> {
    const person = await this.people.findByEmail(email);
    await this.tries.admit('sign-in', person, email, device.address);
    const fits = await this.passwords.fits(password, person?.passwordHash ?? null);
    if (!person || !fits || person.isDisabled) {
      await this.tries.record(person, device.address, { action: 'person.sign_in_refused' });
      throw new SignInRefused();
    }
    return this.unitOfWork.run((tx) => this.admit(tx, person, 'password', device));
  }

  /**
   * Begins a session of a person who has shown one factor, within a transaction. It opens nothing yet
   * when the person has a second one to show.
   */
  admit(tx: EntityManager, person: Person, way: SignInWay, device: Device): Promise<BegunSession> {
    return person.hasSecondFactor
      ? this.sessions.begin(tx, person.id, null, way, device, false)
      : this.begin(tx, person, way, device);
  }

  /** Begins a session that opens pages, within a transaction. */
  async begin(tx: EntityManager, person: Person, way: SignInWay, device: Device): Promise<BegunSession> {
    const memberships = await this.memberships.in(tx).listOf(person.id);
    const first = memberships.find(({ disabledAt }) => disabledAt === null) ?? null;
    await this.audit.record(tx, { person, principal: first }, device.address, {
      action: 'person.signed_in',
      details: { way, shared_device: device.isShared },
    });
    return this.sessions.begin(tx, person.id, first?.id ?? null, way, device);
  }

  /** Tells a person by mail that somebody signed in as them with a browser that they did not use before. */
  async tellOfNewBrowser({ personId, userAgent, createdAt, address }: Session) {
    const person = await this.people.find(personId);
    if (person) this.mails.mailAboutBrowser(person, browserNameOf(userAgent), createdAt, address);
  }

  /**
   * Recognises who sends a request by the secret of their cookie.
   * @param address that it comes from
   * @param isUse whether the person does something, which keeps the session alive
   * @returns null when the session is unknown or over, or the person disabled
   * @throws ViewOver when the pages can no longer be seen as somebody else
   */
  async recognise(secret: string, address: string, isUse = true): Promise<SignedIn | null> {
    const session = await this.sessions.recognise(secret, isUse);
    if (!session?.provedAt) return null;
    const { personId, membershipId } = session;
    const finding = membershipId === null ? null : this.memberships.findOf(personId, membershipId);
    const [person, membership] = await Promise.all([this.people.find(personId), finding]);
    if (!person || person.isDisabled) return null;
    const actor = actorOf(person, address);
    const principal = membership && (await this.principalOf(membership, actor));
    const own = {
      ...{ session, person, principal },
      membership: principal && membership,
      isFresh: session.isFresh(this.unitOfWork.now()),
    };
    return session.viewedMembershipId === null
      ? { ...own, view: null, isOperator: person.isOperator }
      : this.asSeenByOther(own, session.viewedMembershipId, actor);
  }

  /**
   * Returns an owner as who sees what another person sees. Both are looked up with each request, so that
   * the view ends when either no longer may.
   * @throws ViewOver
   */
  private async asSeenByOther(
    own: Omit<SignedIn, 'view' | 'isOperator'>,
    viewedMembershipId: number,
    actor: Actor,
  ): Promise<SignedIn> {
    const accountId = own.membership?.accountId ?? 0;
    const membership = await this.memberships.findIn(accountId, viewedMembershipId);
    const person = membership && (await this.people.find(membership.personId));
    const view = person && { person, membership };
    if (own.membership && view && maySeeAs(own.membership, view)) {
      const principal = await this.principalOf(membership, actor, actorOf(person, null));
      if (principal) return { ...own, principal, view, isOperator: false };
    }
    await this.unitOfWork.run((tx) => this.endView(tx, own, view, actor.address));
    throw new ViewOver();
  }

  /** Ends the view of a session within a transaction, and records it. @param view null when it is unknown by now */
  async endView(
    tx: EntityManager,
    { session, person, membership }: Pick<SignedIn, 'session' | 'person' | 'membership'>,
    view: Member | null,
    address: string | null,
  ) {
    if (!(await this.sessions.endView(tx, session))) return;
    await this.audit.record(tx, { person, principal: membership }, address, {
      action: 'person.view_ended',
      target: view ? personTarget(view.person) : UNKNOWN,
    });
  }

  /** @throws SessionNotFound when the session has ended meanwhile */
  async signOut(signedIn: SignedIn, address: string) {
    const { session, person, view } = signedIn;
    await this.unitOfWork.run(async (tx) => {
      if (view) await this.endView(tx, signedIn, view, address);
      await this.sessions.end(tx, person.id, session.id);
      await this.audit.record(tx, signedIn, address, { action: 'person.signed_out' });
    });
  }

  /**
   * Makes the person act for another account or client.
   * @throws PersonNotFound when the person does not belong there
   */
  async switchTo({ session, person }: SignedIn, membershipId: number) {
    const membership = await this.memberships.findOf(person.id, membershipId);
    if (membership?.disabledAt !== null) throw new PersonNotFound();
    await this.unitOfWork.run((tx) => this.sessions.switchTo(tx, session, membership.id));
  }

  /**
   * Returns a person with what they may do now where they act, for work that goes on without a request.
   * @returns null when they may do nothing there any more
   */
  async principalIn({ accountId, clientId }: Scope, personId: number): Promise<Principal | null> {
    const person = await this.people.find(personId);
    if (!person || person.isDisabled) return null;
    const memberships = await this.memberships.listOf(personId);
    const membership = memberships.find((each) => each.accountId === accountId && each.clientId === clientId);
    return membership ? this.principalOf(membership, actorOf(person, null)) : null;
  }

  /** Returns null when the membership is disabled, or its client was deleted. */
  private async principalOf(
    { accountId, clientId, role, actions, disabledAt }: Membership,
    actor: Actor,
    reader: Actor = actor,
  ) {
    if (disabledAt !== null) return null;
    if (role !== null) {
      const rights = rightsOfRole(role);
      return new Principal(accountId, null, actor, rights, true, undefined, reader);
    }
    const client = clientId === null ? null : await this.clients.find(accountId, clientId);
    if (!client) return null;
    const { id, canCreateForms } = client;
    const rights = rightsOfActions(actions, canCreateForms);
    return new Principal(accountId, id, actor, rights, canCreateForms, actions, reader);
  }
}

/** Changes how the person signs in who is signed in. */
@Injectable()
export class OwnChanges {
  constructor(
    private readonly people: PeopleRepository,
    private readonly sessions: SessionsService,
    private readonly mails: PeopleMailService,
    private readonly audit: PersonAudit,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Locks the person, changes them, ends their other sessions, and records it; then mails them about it.
   * @param mail null for none
   * @param change returns what is recorded, and whatever else the caller needs
   */
  async make<T extends PersonEvent>(
    { person: { id }, session, principal }: SignedIn,
    address: string,
    mail: SignInChange | null,
    change: (tx: EntityManager, person: Person) => Promise<T>,
  ): Promise<T> {
    const { person, made } = await this.unitOfWork.run(async (tx) => {
      const person = await this.people.in(tx).getForUpdate(id);
      const made = await change(tx, person);
      await this.sessions.endAllOf(tx, id, session.id);
      const { action, details } = made;
      await this.audit.record(tx, { person, principal }, address, { action, details });
      return { person, made };
    });
    if (mail) this.mails.mailAboutChange(person, mail, this.unitOfWork.now(), address);
    return made;
  }
}
