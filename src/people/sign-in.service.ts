import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Actor } from '../access/actor.js';
import { Principal } from '../access/principal.js';
import { rightsOfActions, rightsOfRole } from '../access/roles.js';
import { AuditService } from '../audit/audit.service.js';
import { ClientsService } from '../clients/clients.service.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { RateLimits } from '../platform/rate-limits/rate-limits.js';
import type { Device, Session, SignInWay } from '../sessions/session.entity.js';
import { SessionsService, type BegunSession } from '../sessions/sessions.service.js';
import type { Membership } from './membership.entity.js';
import { MembershipsRepository } from './memberships.repository.js';
import { Passwords } from './passwords.js';
import { PeopleRepository } from './people.repository.js';
import { personTarget } from './people.service.js';
import { browserNameOf } from '../sessions/browser-name.js';
import { PeopleMailService } from './people-mail.service.js';
import { Clock } from '../platform/kernel/clock.js';
import { PersonNotFound, SignInRefused } from './person.errors.js';
import { Person } from './person.entity.js';

/** An id that no person has, so that an unknown address takes the same queries as a known one. */
const NOBODY = 0;

/** A person who opened a page, as the cookie of their session says. */
export interface SignedIn {
  session: Session;
  person: Person;
  /** The membership that the person acts under at the moment; null for none. */
  membership: Membership | null;
  /** Null without a membership that is enabled. */
  principal: Principal | null;
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
    private readonly limits: RateLimits,
    private readonly mails: PeopleMailService,
    private readonly audit: AuditService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
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
    const isKnown = await this.sessions.isKnownAddress(person?.id ?? NOBODY, device.address);
    this.limits.admitSignIn(device.address, Person.keyOf(email), isKnown);
    const fits = await this.passwords.fits(password, person?.passwordHash ?? null);
    if (!person || !fits || person.isDisabled) {
      await this.recordRefusal(person, device);
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
  async begin(
    tx: EntityManager,
    person: Person,
    way: SignInWay,
    device: Device,
  ): Promise<BegunSession> {
    const memberships = await this.memberships.in(tx).listOf(person.id);
    const first = memberships.find(({ disabledAt }) => disabledAt === null) ?? null;
    await this.audit.record(tx, actorOf(person, device.address), {
      accountId: first?.accountId ?? null,
      action: 'person.signed_in',
      target: personTarget(person),
      details: { way, shared_device: device.isShared },
    });
    return this.sessions.begin(tx, person.id, first?.id ?? null, way, device);
  }

  /** Tells a person by mail that somebody signed in as them with a browser that they did not use before. */
  async tellOfNewBrowser({ personId, userAgent, createdAt, address }: Session): Promise<void> {
    const person = await this.people.find(personId);
    if (person) this.mails.mailAboutBrowser(person, browserNameOf(userAgent), createdAt, address);
  }

  /**
   * Recognises who sends a request by the secret of their cookie.
   * @param address that it comes from
   * @returns null when the session is unknown or over, or the person disabled
   */
  async recognise(secret: string, address: string): Promise<SignedIn | null> {
    const session = await this.sessions.recognise(secret);
    if (!session?.provedAt) return null;
    const person = await this.people.find(session.personId);
    if (!person || person.isDisabled) return null;
    const { membershipId } = session;
    const membership =
      membershipId === null ? null : await this.memberships.findOf(person.id, membershipId);
    const principal = membership && (await this.principalOf(person, membership, address));
    const isFresh = session.isFresh(this.clock.now());
    return { session, person, membership: principal && membership, principal, isFresh };
  }

  /** @throws SessionNotFound when the session has ended meanwhile */
  async signOut({ session, person, principal }: SignedIn, address: string): Promise<void> {
    await this.unitOfWork.run(async (tx) => {
      await this.sessions.end(tx, person.id, session.id);
      await this.audit.record(tx, actorOf(person, address), {
        accountId: principal?.accountId ?? null,
        action: 'person.signed_out',
        target: personTarget(person),
      });
    });
  }

  /**
   * Makes the person act for another account or client.
   * @throws PersonNotFound when the person does not belong there
   */
  async switchTo({ session, person }: SignedIn, membershipId: number): Promise<void> {
    const membership = await this.memberships.findOf(person.id, membershipId);
    if (membership?.disabledAt !== null) throw new PersonNotFound();
    await this.unitOfWork.run((tx) => this.sessions.switchTo(tx, session, membership.id));
  }

  /** Returns null when the membership is disabled, or its client was deleted. */
  private async principalOf(
    person: Person,
    { accountId, clientId, role, actions, disabledAt }: Membership,
    address: string,
  ): Promise<Principal | null> {
    const actor = actorOf(person, address);
    if (disabledAt !== null) return null;
    if (role !== null) return new Principal(accountId, null, actor, rightsOfRole(role), true);
    const client = clientId === null ? null : await this.clients.find(accountId, clientId);
    if (!client) return null;
    const { id, canCreateForms } = client;
    const rights = rightsOfActions(actions, canCreateForms);
    return new Principal(accountId, id, actor, rights, canCreateForms, actions);
  }

  /** Records a refused sign-in, for known and unknown addresses alike, so that both take as long. */
  async recordRefusal(person: Person | null, device: Device): Promise<void> {
    const [membership] = await this.memberships.listOf(person?.id ?? NOBODY);
    const name = person?.name ?? 'Unknown';
    await this.audit.recordAlone(
      { kind: 'person', id: person?.id ?? null, name, address: device.address },
      {
        accountId: membership?.accountId ?? null,
        action: 'person.sign_in_refused',
        target: { kind: 'person', id: person?.id ?? null, name: person && name },
      },
    );
  }
}

/** Returns a person as the actor of an audit entry. */
export function actorOf({ id, name }: Person, address: string | null): Actor {
  return { kind: 'person', id, name, address };
}
