import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../../audit/audit.service.js';
import { Config } from '../../platform/config/config.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { parseEmailAddress } from '../../platform/kernel/text/email-address.js';
import { OidcClient, type Binding, type Claims } from '../../platform/oidc/oidc-client.js';
import { OidcRefused } from '../../platform/oidc/oidc.errors.js';
import { RateLimits } from '../../platform/rate-limits/rate-limits.js';
import { SigningService } from '../../platform/signed-links/signing.service.js';
import type { Device } from '../../sessions/session.entity.js';
import type { BegunSession } from '../../sessions/sessions.service.js';
import { FirstProofs } from './first-proofs.service.js';
import { IdentitiesRepository } from '../credentials/identities.repository.js';
import { IdentitiesService } from '../credentials/identities.service.js';
import { IdentityForbidden, IdentityUnknown } from '../credentials/credential.errors.js';
import { MembershipsRepository } from '../members/memberships.repository.js';
import { PeopleMailService } from '../links/people-mail.service.js';
import { PeopleRepository } from '../person/people.repository.js';
import { personTarget } from '../members/people.service.js';
import { Person } from '../person/person.entity.js';
import { actorOf, SignInService, type SignedIn } from '../sign-in/sign-in.service.js';
import { readTicket, SEED_BYTES, writeTicket, type Ticket } from './sign-in-ticket.js';
import { VerifiedInvitationsService } from './verified-invitations.service.js';
import { MINUTE_MS } from '../../platform/kernel/time/durations.js';

/** How long somebody may take at the provider. */
const TTL_MS = 10 * MINUTE_MS;
const NAME_MAX = 255;

/** Where the person is sent, and what their browser keeps until they come back. */
export interface BegunDeparture {
  address: string;
  ticket: string;
  maxAgeMs: number;
}

/** Somebody who came back from the provider. */
export interface Returned {
  /** Null: the person was signed in already, and has linked an identity. */
  begun: BegunSession | null;
  /** Where to go on, a path of this service, not yet checked. */
  next: string;
}

/**
 * Signs people in through the OpenID Connect provider. Who comes in has an identity that is linked to
 * them, or a verified address that a person or an open invitation has; nobody else is let in or made.
 */
@Injectable()
export class OidcSignInService {
  constructor(
    private readonly provider: OidcClient,
    private readonly proofs: FirstProofs,
    private readonly identities: IdentitiesRepository,
    private readonly links: IdentitiesService,
    private readonly people: PeopleRepository,
    private readonly memberships: MembershipsRepository,
    private readonly invitations: VerifiedInvitationsService,
    private readonly signIns: SignInService,
    private readonly signing: SigningService,
    private readonly mails: PeopleMailService,
    private readonly limits: RateLimits,
    private readonly audit: AuditService,
    private readonly unitOfWork: UnitOfWork,
    private readonly config: Config,
  ) {}

  /** Returns what people call the provider; null when there is none. */
  get providerName(): string | null {
    return this.provider.providerName;
  }

  /**
   * Begins a sign-in at the provider.
   * @param linking who is signed in and wants to link an identity; null for a sign-in
   * @throws OidcUnavailable
   * @throws RateLimited when there were too many such requests from the network
   */
  async begin(
    next: string,
    { address, isShared }: Device,
    linking: SignedIn | null,
  ): Promise<BegunDeparture> {
    this.limits.admitDeparture(address);
    const seed = randomBytes(SEED_BYTES);
    const expiresAt = new Date(this.unitOfWork.now().getTime() + TTL_MS);
    const payload = writeTicket({ requestId: seed, isShared, next });
    return {
      address: await this.provider.addressFor(await this.bindingOf(seed)),
      ticket: await this.signing.sign(purposeFor(linking), payload, expiresAt),
      maxAgeMs: TTL_MS,
    };
  }

  /**
   * Completes a sign-in at the provider, or the linking of an identity.
   * @param text the ticket of the browser, not yet checked
   * @param query of the address that the person came back to
   * @throws OidcRefused, OidcUnavailable
   * @throws IdentityForbidden, IdentityUnknown, IdentityTaken
   */
  async complete(
    text: string | null,
    query: string,
    device: Device,
    timeZone: string,
    signedIn: SignedIn | null,
  ): Promise<Returned> {
    const linking = signedIn && (await this.ticketOf(text, signedIn));
    const ticket = linking ?? (await this.ticketOf(text, null));
    if (!ticket) throw new OidcRefused();
    const claims = await this.provider.complete(query, await this.bindingOf(ticket.requestId));
    try {
      this.assertAllowed(claims);
      if (linking) return await this.link(signedIn, claims, device, ticket);
      const from = { ...device, isShared: ticket.isShared };
      const begun = await this.signIn(claims, from, timeZone);
      return { begun, next: ticket.next };
    } catch (error) {
      if (error instanceof IdentityForbidden || error instanceof IdentityUnknown) {
        await this.recordRefusal(claims, error.code, device);
      }
      throw error;
    }
  }

  private async link(
    { person }: SignedIn,
    claims: Claims,
    { address }: Device,
    { next }: Ticket,
  ): Promise<Returned> {
    await this.unitOfWork.run((tx) => this.links.add(tx, person, claims, address));
    this.mails.mailAboutChange(person, 'identity-linked', this.unitOfWork.now(), address);
    return { begun: null, next };
  }

  private async signIn(claims: Claims, device: Device, timeZone: string): Promise<BegunSession> {
    const { person, begun, isLinked, isBegunAnew } = await this.unitOfWork.run(async (tx) => {
      const known = await this.personOf(tx, claims);
      const found = known ?? (await this.personFor(tx, claims, device, timeZone));
      if (!found || found.isDisabled) throw new IdentityUnknown();
      const { person, isBegunAnew } = this.proves(claims, found)
        ? await this.proofs.take(tx, found.id, device.address)
        : { person: found, isBegunAnew: false };
      if (person.isDisabled) throw new IdentityUnknown();
      const isLinked = known === null || isBegunAnew;
      if (isLinked) await this.links.add(tx, person, claims, device.address);
      const begun = await this.signIns.admit(tx, person, 'oidc', device);
      return { person, begun, isLinked, isBegunAnew };
    });
    if (isBegunAnew) this.proofs.tell(person, device.address);
    if (isLinked)
      this.mails.mailAboutChange(person, 'identity-linked', this.unitOfWork.now(), device.address);
    return begun;
  }

  /** Returns the person whom the identity is linked to. */
  private async personOf(tx: EntityManager, { issuer, subject }: Claims): Promise<Person | null> {
    const identity = await this.identities.in(tx).findBySubject(issuer, subject);
    return identity && this.people.in(tx).find(identity.personId);
  }

  /** Returns the person of a verified address, made by an open invitation if need be. */
  private async personFor(
    tx: EntityManager,
    { email, isEmailVerified, name }: Claims,
    { address }: Device,
    timeZone: string,
  ): Promise<Person | null> {
    const verified = isEmailVerified && email !== null ? parseEmailAddress(email) : null;
    if (verified === null) return null;
    const known = await this.people.in(tx).findByEmail(verified);
    if (known) return known;
    const details = { email: verified, name: (name ?? '').slice(0, NAME_MAX), timeZone };
    return this.invitations.accept(tx, details, address);
  }

  /** Tells whether the provider says that the person reads mail to their address. */
  private proves({ email, isEmailVerified }: Claims, person: Person): boolean {
    const verified = isEmailVerified && email !== null ? parseEmailAddress(email) : null;
    return verified !== null && Person.keyOf(verified) === Person.keyOf(person.email);
  }

  /** @throws IdentityForbidden */
  private assertAllowed({ email, isEmailVerified }: Claims): void {
    const domains = this.config.oidc.allowedDomains;
    if (domains.length === 0) return;
    const domain = email?.toLowerCase().replace(/^.*@/s, '') ?? '';
    if (!isEmailVerified || !domains.includes(domain)) throw new IdentityForbidden();
  }

  private async recordRefusal(claims: Claims, reason: string, { address }: Device): Promise<void> {
    const identity = await this.identities.findBySubject(claims.issuer, claims.subject);
    const person = identity && (await this.people.find(identity.personId));
    const actor = person
      ? actorOf(person, address)
      : ({ kind: 'person', id: null, name: 'Unknown', address } as const);
    const [membership] = person ? await this.memberships.listOf(person.id) : [];
    await this.audit.recordAlone(actor, {
      accountId: membership?.accountId ?? null,
      action: 'person.identity_refused',
      target: person ? personTarget(person) : { kind: 'person', id: null, name: null },
      details: { reason },
    });
  }

  private async ticketOf(text: string | null, linking: SignedIn | null): Promise<Ticket | null> {
    if (text === null) return null;
    const payload = await this.signing.verify(purposeFor(linking), text, this.unitOfWork.now());
    return payload && readTicket(payload);
  }

  /** Derives what ties the answer to the ticket: nothing of it is stored, or in the cookie. */
  private async bindingOf(seed: Buffer): Promise<Binding> {
    const [state, nonce, verifier] = await Promise.all(
      ['oidc state', 'oidc nonce', 'oidc verifier'].map((purpose) =>
        this.signing.derive(purpose, seed).then((bytes) => bytes.toString('base64url')),
      ),
    );
    if (!state || !nonce || !verifier) throw new Error('Nothing was derived.');
    return { state, nonce, verifier };
  }
}

/** Returns what a ticket is signed for. One that links an identity is good in one session alone. */
function purposeFor(linking: SignedIn | null): string {
  return linking === null ? 'oidc ticket' : `oidc ticket ${linking.session.id.toString('hex')}`;
}
