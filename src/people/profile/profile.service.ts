import { Injectable } from '@nestjs/common';
import { Clock, DAY_MS, hashSecret, RateLimits, SigningService } from '../../platform/index.js';
import { PeopleMailService } from '../links/people-mail.service.js';
import { PeopleRepository } from '../person/people.repository.js';
import { Passwords } from '../person/passwords.js';
import { AddressLinkOver } from '../person/person.errors.js';
import { Person, type PersonSettings } from '../person/person.entity.js';
import { type SignedIn, OwnChanges } from '../sign-in/sign-in.service.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import { BrandsService } from '../../clients/brands/brands.service.js';
import { ClientsService } from '../../clients/clients.service.js';
import { UnitOfWork } from '../../platform/database/index.js';
import type { Session } from '../sessions/session.entity.js';
import { SessionsService } from '../sessions/sessions.service.js';
import type { Membership } from '../members/membership.entity.js';
import { MembershipsRepository } from '../members/memberships.repository.js';
import { PersonAudit } from '../members/members.service.js';
import { ProofRequired } from '../../accounts/access/index.js';
import { ProofsService } from '../sign-in-methods/proofs.service.js';

const PURPOSE = 'new address';
/** How long the link works: mails are slow at times, and some people read theirs once a day. */
const TTL_MS = DAY_MS;
const ID_BYTES = 4;
/** Bytes of the SHA-256 of the former address in a link: once the address changes, the link is over. */
const DIGEST_BYTES = 16;

/** Changes the address that a person signs in with, once mail to the new one was read. */
@Injectable()
export class EmailChangeService {
  constructor(
    private readonly people: PeopleRepository,
    private readonly changes: OwnChanges,
    private readonly signing: SigningService,
    private readonly mails: PeopleMailService,
    private readonly limits: RateLimits,
    private readonly clock: Clock,
  ) {}

  /**
   * Mails a link to the new address, which changes nothing yet. An address that somebody signs in with
   * gets none, and nobody is told; but one's own does while it is not known to be one's own.
   * @throws RateLimited when too many mails were asked for lately
   */
  async ask({ person }: SignedIn, email: string, address: string, baseUrl: string) {
    this.limits.admitSignIn('sign-in-link', address, Person.keyOf(email), false);
    const known = await this.people.findByEmail(email);
    if (known && (known.id !== person.id || known.verifiedAt !== null)) return;
    const expiresAt = new Date(this.clock.now().getTime() + TTL_MS);
    const payload = Buffer.concat([headOf(person), Buffer.from(email)]);
    const token = await this.signing.sign(PURPOSE, payload, expiresAt);
    const link = `${baseUrl}/account/email/confirm#${token}`;
    this.mails.mailNewAddress({ id: person.id, email, name: person.name, isKnown: known !== null }, link, expiresAt);
  }

  /**
   * Changes the address of who is signed in to the one that the link went to, or stores that it is theirs, and
   * ends all other sessions. A change is told to both addresses.
   * @param token what is behind the `#` of the link
   * @returns whether the address is another one now
   * @throws AddressLinkOver when it is used, too old, or another person's
   * @throws PersonEmailTaken when somebody was faster
   */
  async confirm(signedIn: SignedIn, token: string, address: string) {
    const now = this.clock.now();
    const payload = await this.signing.verify(PURPOSE, token.trim(), now);
    const made = await this.changes.make(signedIn, address, null, async (tx, person) => {
      const head = headOf(person);
      if (!payload?.subarray(0, head.length).equals(head)) throw new AddressLinkOver();
      const { email: before } = person;
      const email = payload.subarray(head.length).toString();
      const isOther = Person.keyOf(email) !== Person.keyOf(before);
      if (!isOther && person.verifiedAt !== null) throw new AddressLinkOver();
      person.change({ email });
      await this.people.in(tx).save(Object.assign(person, { verifiedAt: now }));
      const action = isOther ? 'person.email_changed' : 'person.email_proved';
      return { action, person, before, isOther };
    });
    const { person, before, isOther } = made;
    if (!isOther) return false;
    for (const email of [before, person.email]) {
      const to = { id: person.id, email, name: person.name };
      this.mails.mailAboutChange(to, 'email-changed', now, address);
    }
    return true;
  }
}

/** Returns what a link is bound to: the person, and the address that they have now. */
function headOf({ id, email }: Person): Buffer {
  const head = Buffer.alloc(ID_BYTES + DIGEST_BYTES);
  head.writeUInt32BE(id);
  hashSecret(Person.keyOf(email)).copy(head, ID_BYTES, 0, DIGEST_BYTES);
  return head;
}

/** An account or a client that a person can act for. */
export interface Place {
  membership: Membership;
  /** Name of the account, or of account and client. */
  name: string;
}

/** Serves the page about oneself: the places where a person acts, their sessions, their password. */
@Injectable()
export class ProfileService {
  constructor(
    private readonly people: PeopleRepository,
    private readonly passwords: Passwords,
    private readonly sessions: SessionsService,
    private readonly audit: PersonAudit,
    private readonly proofs: ProofsService,
    private readonly changes: OwnChanges,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Returns the person's sessions, newest first. */
  sessionsOf({ person }: SignedIn): Promise<Session[]> {
    return this.sessions.list(person.id);
  }

  /** @throws SessionNotFound */
  async endSession(signedIn: SignedIn, id: Buffer, address: string) {
    await this.unitOfWork.run(async (tx) => {
      await this.sessions.end(tx, signedIn.person.id, id);
      await this.audit.record(tx, signedIn, address, { action: 'session.ended' });
    });
  }

  /** Ends all sessions of the person but this one. */
  async endOtherSessions(signedIn: SignedIn, address: string) {
    const event = { action: 'session.others_ended' } as const;
    await this.changes.make(signedIn, address, null, () => Promise.resolve(event));
  }

  /** Changes how the pages behave for the person. */
  changeSettings({ person: { id } }: SignedIn, settings: Partial<PersonSettings>): Promise<Person> {
    return this.unitOfWork.run(async (tx) => {
      const person = await this.people.in(tx).get(id);
      return this.people.in(tx).update(person, settings);
    });
  }

  /** Says whether the person may set a password without the former one. */
  mayReplacePassword({ session, person, isFresh }: SignedIn) {
    if (person.passwordHash === null) return isFresh;
    return session.mayReplacePassword(this.unitOfWork.now());
  }

  /**
   * Changes the password, and ends all other sessions. Who has none yet sets one with a fresh proof.
   * @param current is looked at unless the person may do without
   * @throws CurrentPasswordWrong, PasswordRefused, ProofRequired
   * @throws RateLimited when there were too many tries lately
   */
  async changePassword(signedIn: SignedIn, current: string, next: string, address: string) {
    const { person } = signedIn;
    const mayReplace = this.mayReplacePassword(signedIn);
    if (person.passwordHash === null && !mayReplace) {
      throw new ProofRequired(await this.proofs.waysOf(person));
    }
    await this.proofs.assertPassword(signedIn, mayReplace ? null : current, address);
    const { name, email, hasSecondFactor } = person;
    const passwordHash = await this.passwords.choose(next, [name, email], hasSecondFactor);
    await this.changes.make(signedIn, address, 'password-changed', async (tx, person) => {
      await this.people.in(tx).update(person, { passwordHash });
      return { action: 'person.password_changed' };
    });
  }
}

/** Lists where people can act. */
@Injectable()
export class PlacesService {
  constructor(
    private readonly memberships: MembershipsRepository,
    private readonly accounts: AccountsService,
    private readonly clients: ClientsService,
    private readonly brands: BrandsService,
  ) {}

  /** Returns the places where a person can act, oldest first. */
  async listOf(personId: number): Promise<Place[]> {
    const memberships = await this.memberships.listOf(personId);
    const places = await Promise.all(memberships.map((membership) => this.placeOf(membership)));
    return places.filter((place) => place !== null);
  }

  private async placeOf(membership: Membership): Promise<Place | null> {
    const { accountId, clientId, disabledAt } = membership;
    if (disabledAt !== null) return null;
    const { name } = await this.accounts.get(accountId);
    if (clientId === null) return { membership, name };
    const client = await this.clients.find(accountId, clientId);
    if (!client) return null;
    const brand = await this.brands.of(membership);
    return { membership, name: (brand.isOfClient ? brand.name : null) ?? `${name}: ${client.name}` };
  }
}
