import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { SignInTries, SignInService, type SignedIn } from '../sign-in/sign-in.service.js';
import { UnitOfWork } from '../../platform/database/index.js';
import {
  SigningService,
  MINUTE_MS,
  Config,
  parseEmailAddress,
  OidcClient,
  type Binding,
  type Claims,
  OidcRefused,
} from '../../platform/index.js';
import type { Device } from '../sessions/session.entity.js';
import type { BegunSession } from '../sessions/sessions.service.js';
import { FirstProofs, VerifiedInvitationsService } from './proofs.service.js';
import { readTicket, writeTicket, type Ticket, SEED_BYTES } from './first-ways.js';
import { IdentitiesService } from '../credentials/identities.service.js';
import { Person } from '../person/person.entity.js';
import { IdentityForbidden, IdentityUnknown } from '../person/person.errors.js';

/** How long somebody may take at the provider. */
const OIDC_TTL_MS = 10 * MINUTE_MS;

const NAME_MAX = 255;

/**
 * Signs people in through the OpenID Connect provider. Who comes in has an identity that is linked to
 * them, or a verified address that a person or an open invitation has; nobody else is let in or made.
 */
@Injectable()
export class OidcSignInService {
  constructor(
    private readonly provider: OidcClient,
    private readonly proofs: FirstProofs,
    private readonly identities: IdentitiesService,
    private readonly invitations: VerifiedInvitationsService,
    private readonly signIns: SignInService,
    private readonly signing: SigningService,
    private readonly tries: SignInTries,
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
  async begin(next: string, { address, isShared }: Device, linking: SignedIn | null): Promise<BegunDeparture> {
    this.tries.admitDeparture(address);
    const seed = randomBytes(SEED_BYTES);
    const expiresAt = new Date(this.unitOfWork.now().getTime() + OIDC_TTL_MS);
    const payload = writeTicket({ requestId: seed, isShared, next });
    return {
      address: await this.provider.addressFor(await this.bindingOf(seed)),
      ticket: await this.signing.sign(purposeFor(linking), payload, expiresAt),
      maxAgeMs: OIDC_TTL_MS,
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
        await this.tries.record(await this.identities.personOf(claims), device.address, {
          action: 'person.identity_refused',
          details: { reason: error.code },
        });
      }
      throw error;
    }
  }

  private async link({ person }: SignedIn, claims: Claims, { address }: Device, { next }: Ticket): Promise<Returned> {
    await this.unitOfWork.run((tx) => this.identities.add(tx, person, claims, address));
    this.identities.tell(person, address, 'identity-linked');
    return { begun: null, next };
  }

  private async signIn(claims: Claims, device: Device, timeZone: string) {
    const { person, begun, isLinked, isBegunAnew } = await this.unitOfWork.run(async (tx) => {
      const known = await this.identities.personOf(claims, tx);
      const found = known ?? (await this.personFor(tx, claims, device, timeZone));
      if (!found || found.isDisabled) throw new IdentityUnknown();
      const { person, isBegunAnew } = this.proves(claims, found)
        ? await this.proofs.take(tx, found.id, device.address)
        : { person: found, isBegunAnew: false };
      if (person.isDisabled) throw new IdentityUnknown();
      const isLinked = known === null || isBegunAnew;
      if (isLinked) await this.identities.add(tx, person, claims, device.address);
      const begun = await this.signIns.admit(tx, person, 'oidc', device);
      return { person, begun, isLinked, isBegunAnew };
    });
    if (isBegunAnew) this.proofs.tell(person, device.address);
    if (isLinked) this.identities.tell(person, device.address, 'identity-linked');
    return begun;
  }

  /** Returns the person of a verified address, made by an open invitation if need be. */
  private async personFor(tx: EntityManager, claims: Claims, { address }: Device, timeZone: string) {
    const email = verifiedOf(claims);
    if (email === null) return null;
    const details = { email, name: (claims.name ?? '').slice(0, NAME_MAX), timeZone };
    return this.invitations.personOf(tx, details, address);
  }

  /** Tells whether the provider says that the person reads mail to their address. */
  private proves(claims: Claims, person: Person) {
    const verified = verifiedOf(claims);
    return verified !== null && Person.keyOf(verified) === Person.keyOf(person.email);
  }

  /** @throws IdentityForbidden */
  private assertAllowed({ email, isEmailVerified }: Claims) {
    const domains = this.config.oidc.allowedDomains;
    if (domains.length === 0) return;
    const domain = email?.toLowerCase().replace(/^.*@/s, '') ?? '';
    if (!isEmailVerified || !domains.includes(domain)) throw new IdentityForbidden();
  }

  private async ticketOf(text: string | null, linking: SignedIn | null) {
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

/** Returns the address that the provider says is the person's; null for none. */
function verifiedOf({ email, isEmailVerified }: Claims) {
  return isEmailVerified && email !== null ? parseEmailAddress(email) : null;
}

/** Returns what a ticket is signed for. One that links an identity is good in one session alone. */
function purposeFor(linking: SignedIn | null) {
  return linking === null ? 'oidc ticket' : `oidc ticket ${linking.session.id.toString('hex')}`;
}

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
