import { Injectable } from '@nestjs/common';
import { AccountsService } from '../../accounts/accounts.service.js';
import { BrandsService } from '../../brands/brands.service.js';
import { ClientsService } from '../../clients/clients.service.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import type { Session } from '../../sessions/session.entity.js';
import { SessionsService } from '../../sessions/sessions.service.js';
import type { Membership } from '../members/membership.entity.js';
import { MembershipsRepository } from '../members/memberships.repository.js';
import { Passwords } from '../person/passwords.js';
import { PeopleRepository } from '../person/people.repository.js';
import { PersonAudit } from '../members/person-audit.service.js';
import type { Person, PersonSettings } from '../person/person.entity.js';
import { ProofRequired } from '../../access/access.errors.js';
import { ProofsService } from '../sign-in-methods/proofs.service.js';
import { OwnChanges } from '../sign-in/own-changes.service.js';
import type { SignedIn } from '../sign-in/sign-in.service.js';

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
    private readonly memberships: MembershipsRepository,
    private readonly people: PeopleRepository,
    private readonly passwords: Passwords,
    private readonly accounts: AccountsService,
    private readonly clients: ClientsService,
    private readonly brands: BrandsService,
    private readonly sessions: SessionsService,
    private readonly audit: PersonAudit,
    private readonly proofs: ProofsService,
    private readonly changes: OwnChanges,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Returns the places where a person can act, oldest first. */
  async listOf(personId: number): Promise<Place[]> {
    const memberships = await this.memberships.listOf(personId);
    const places = await Promise.all(memberships.map((membership) => this.placeOf(membership)));
    return places.filter((place) => place !== null);
  }

  /** Returns the person's sessions, newest first. */
  sessionsOf({ person }: SignedIn): Promise<Session[]> {
    return this.sessions.list(person.id);
  }

  /** @throws SessionNotFound */
  async endSession(signedIn: SignedIn, id: Buffer, address: string): Promise<void> {
    await this.unitOfWork.run(async (tx) => {
      await this.sessions.end(tx, signedIn.person.id, id);
      await this.audit.record(tx, signedIn, address, { action: 'session.ended' });
    });
  }

  /** Ends all sessions of the person but this one. */
  async endOtherSessions(signedIn: SignedIn, address: string): Promise<void> {
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
  mayReplacePassword({ session, person, isFresh }: SignedIn): boolean {
    if (person.passwordHash === null) return isFresh;
    return session.mayReplacePassword(this.unitOfWork.now());
  }

  /**
   * Changes the password, and ends all other sessions. Who has none yet sets one with a fresh proof.
   * @param current is looked at unless the person may do without
   * @throws CurrentPasswordWrong, PasswordRefused, ProofRequired
   * @throws RateLimited when there were too many tries lately
   */
  async changePassword(
    signedIn: SignedIn,
    current: string,
    next: string,
    address: string,
  ): Promise<void> {
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

  private async placeOf(membership: Membership): Promise<Place | null> {
    const { accountId, clientId, disabledAt } = membership;
    if (disabledAt !== null) return null;
    const { name } = await this.accounts.get(accountId);
    if (clientId === null) return { membership, name };
    const client = await this.clients.find(accountId, clientId);
    if (!client) return null;
    const brand = await this.brands.of(membership);
    return {
      membership,
      name: (brand.isOfClient ? brand.name : null) ?? `${name}: ${client.name}`,
    };
  }
}
