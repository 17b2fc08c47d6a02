import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock, RateLimits } from '../../platform/index.js';
import { SessionsService, type BegunSession } from '../sessions/sessions.service.js';
import {
  IdentitiesRepository,
  PasskeysRepository,
  RecoveryCodesRepository,
} from '../credentials/credentials.repository.js';
import { PeopleMailService, type Recipient, type SignInChange } from '../links/people-mail.service.js';
import {
  AddressNotVerified,
  InvitationNotFound,
  CodeRefused,
  CurrentPasswordWrong,
  ProofRefused,
  CodeWrong,
  PasskeyRefused,
} from '../person/person.errors.js';
import { PeopleRepository } from '../person/people.repository.js';
import { Passwords } from '../person/passwords.js';
import { PersonAudit, PeopleService, actorOf } from '../members/members.service.js';
import { Person, type PersonDetails } from '../person/person.entity.js';
import { SignInLinksRepository } from '../links/sign-in-links.repository.js';
import { UnitOfWork } from '../../platform/database/index.js';
import type { Session } from '../sessions/session.entity.js';
import { FactorsService } from '../credentials/factors.service.js';
import { SignInTries, SignInService, type SignedIn } from '../sign-in/sign-in.service.js';
import type { ProofWay } from '../../accounts/access/index.js';
import { PasskeysService } from '../credentials/passkeys.service.js';
import { PasskeySignInService } from './passkey-sign-in.service.js';

/**
 * Gives people to those whose address they have. A link that was handed out makes a person of any address,
 * so the first proof that somebody reads mail there ends whatever signed in as that person before.
 */
@Injectable()
export class FirstProofs {
  constructor(
    private readonly people: PeopleRepository,
    private readonly codes: RecoveryCodesRepository,
    private readonly passkeys: PasskeysRepository,
    private readonly identities: IdentitiesRepository,
    private readonly sessions: SessionsService,
    private readonly mails: PeopleMailService,
    private readonly audit: PersonAudit,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores, within a transaction, that who is here reads mail to the person's address. Locks the person.
   * @param address of the network that the proof comes from
   * @param but id of the session that stays
   * @returns the person, and whether all that signed in as them before has ended
   */
  async take(
    tx: EntityManager,
    id: number,
    address: string,
    but: Buffer | null = null,
  ): Promise<{ person: Person; isBegunAnew: boolean }> {
    const person = await this.people.in(tx).getForUpdate(id);
    const isBegunAnew = person.isUnproven && !person.isDisabled;
    if (person.verifiedAt !== null || person.isDisabled) return { person, isBegunAnew };
    await this.people.in(tx).update(person, { verifiedAt: this.clock.now() });
    if (isBegunAnew) {
      await this.endWays(tx, person, but);
      await this.audit.record(tx, { person }, address, { action: 'person.begun_anew' });
    }
    return { person, isBegunAnew };
  }

  /** Ends all that signs in as a person, within a transaction. @param but id of the session that stays */
  async endWays(tx: EntityManager, person: Person, but: Buffer | null = null) {
    const none = { passwordHash: null, totpSecret: null, totpStep: null };
    await this.people.in(tx).update(person, none);
    await this.codes.in(tx).replace(person.id, []);
    await this.passkeys.in(tx).removeAllOf(person.id);
    await this.identities.in(tx).removeAllOf(person.id);
    await this.sessions.endAllOf(tx, person.id, but);
  }

  /** @throws AddressNotVerified when a person could prove their address, and nobody has */
  assertTaken(person: Person) {
    if (person.isUnproven && this.mails.isOn) throw new AddressNotVerified(person.email);
  }

  /** Tells a person by mail, once the proof is stored. */
  tell(to: Recipient, address: string, change: SignInChange = 'begun-anew') {
    this.mails.mailAboutChange(to, change, this.clock.now(), address);
  }
}

/** Accepts invitations for people whose address somebody else has verified. */
@Injectable()
export class VerifiedInvitationsService {
  constructor(
    private readonly links: SignInLinksRepository,
    private readonly people: PeopleRepository,
    private readonly peopleService: PeopleService,
    private readonly clock: Clock,
  ) {}

  /**
   * Finds the person of an address that is verified, or makes one by its newest open invitation, within a
   * transaction. Others stay open. The person has no password.
   * @param details a name that is empty gives way to that of the invitation
   * @returns null without a person and an open invitation
   * @throws InvitationNotFound when somebody else accepted it meanwhile
   */
  async personOf(tx: EntityManager, details: PersonDetails, address: string): Promise<Person | null> {
    const known = await this.people.in(tx).findByEmail(details.email);
    if (known) return known;
    const now = this.clock.now();
    const invitations = await this.links.in(tx).listInvitationsFor(details.email);
    const invitation = invitations.find(({ expiresAt }) => expiresAt > now);
    const accountId = invitation?.accountId ?? null;
    if (!invitation || accountId === null) return null;
    if (!(await this.links.in(tx).claim(invitation.id))) throw new InvitationNotFound();
    const person = Person.create({ ...details, name: details.name || invitation.name }, now);
    await this.people.in(tx).save(Object.assign(person, { verifiedAt: now }));
    const actor = actorOf(person, address);
    await this.peopleService.join(tx, actor, person, accountId, invitation.standing, now);
    return person;
  }
}

const REFUSED = { action: 'person.proof_refused' } as const;

/** Ways to confirm an identity; one is enough. */
export interface Proof {
  password: string;
  /** Code of the authenticator app, or a recovery code. */
  code: string;
  /** As the browser answers `PasskeySignInService.optionsToProve`; null without one. */
  credential: unknown;
}

/** Checks once more who is at a browser that has been signed in for a while. */
@Injectable()
export class ProofsService {
  constructor(
    private readonly passwords: Passwords,
    private readonly factors: FactorsService,
    private readonly passkeys: PasskeysService,
    private readonly passkeySignIns: PasskeySignInService,
    private readonly sessions: SessionsService,
    private readonly limits: RateLimits,
    private readonly audit: PersonAudit,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Returns what a person can show; nothing for those who have to sign in anew. */
  async waysOf(person: Person): Promise<ProofWay[]> {
    const hasPasskey = this.passkeys.arePossible && (await this.passkeys.listOf(person)).length > 0;
    const ways: [ProofWay, boolean][] = [
      ['passkey', hasPasskey],
      ['password', person.passwordHash !== null],
      ['code', person.hasSecondFactor],
    ];
    return ways.filter(([, has]) => has).map(([way]) => way);
  }

  /**
   * Checks who is signed in, and gives the session a new secret.
   * @throws ProofRefused, CodeRefused, PasskeyRefused
   * @throws RateLimited when there were too many tries lately
   */
  async prove(signedIn: SignedIn, proof: Proof, address: string): Promise<BegunSession> {
    const { session, person } = signedIn;
    this.limits.admitSignIn('sign-in', address, Person.keyOf(person.email), true);
    try {
      const useUp = await this.check(signedIn, proof);
      return await this.unitOfWork.run(async (tx) => {
        await useUp(tx);
        await this.audit.record(tx, signedIn, address, { action: 'person.proved' });
        return this.sessions.renew(tx, session);
      });
    } catch (error) {
      const refusals = [ProofRefused, CodeRefused, PasskeyRefused];
      if (refusals.some((refusal) => error instanceof refusal)) {
        await this.audit.recordAlone(signedIn, address, REFUSED);
      }
      throw error;
    }
  }

  /**
   * Checks the password of who is signed in, and limits the tries.
   * @param password null for who needs none
   * @throws CurrentPasswordWrong, RateLimited
   */
  async assertPassword(signedIn: SignedIn, password: string | null, address: string) {
    const { email, passwordHash } = signedIn.person;
    this.limits.admitSignIn('sign-in', address, Person.keyOf(email), true);
    if (password === null || (await this.passwords.fits(password, passwordHash))) return;
    await this.audit.recordAlone(signedIn, address, REFUSED);
    throw new CurrentPasswordWrong();
  }

  /**
   * Checks the one thing that is shown.
   * @returns uses it up where it is good for once
   */
  private async check(
    signedIn: SignedIn,
    { password, code, credential }: Proof,
  ): Promise<(tx: EntityManager) => Promise<void>> {
    const { person } = signedIn;
    if (credential !== null) return this.passkeySignIns.checkProof(signedIn, credential);
    if (password === '' && code !== '') {
      return async (tx) => {
        if ((await this.factors.claim(tx, person, code)) === null) throw new CodeRefused();
      };
    }
    if (!(await this.passwords.fits(password, person.passwordHash))) throw new ProofRefused();
    return () => Promise.resolve();
  }
}

/** Signs in people who have shown their password and still have to show a second factor. */
@Injectable()
export class SecondStepService {
  constructor(
    private readonly people: PeopleRepository,
    private readonly factors: FactorsService,
    private readonly signIns: SignInService,
    private readonly sessions: SessionsService,
    private readonly tries: SignInTries,
    private readonly audit: PersonAudit,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Returns the session of this secret if it waits for a second factor, else null. */
  async recognise(secret: string): Promise<Session | null> {
    const session = await this.sessions.recognise(secret);
    return session?.provedAt === null ? session : null;
  }

  /**
   * Replaces the session that waited by one that opens pages.
   * @param code of the authenticator app, or a recovery code
   * @throws CodeWrong
   * @throws RateLimited when there were too many tries lately
   */
  async complete(waiting: Session, code: string, address: string): Promise<BegunSession> {
    const person = await this.people.get(waiting.personId);
    await this.tries.admit('sign-in', person, person.email, address);
    const begun = person.isDisabled ? null : await this.begin(waiting, person, code, address);
    if (begun) return begun;
    await this.audit.recordAlone({ person }, address, { action: 'person.code_refused' });
    throw new CodeWrong();
  }

  private begin(waiting: Session, person: Person, code: string, address: string) {
    const device = { address, userAgent: waiting.userAgent, isShared: waiting.isSharedDevice };
    return this.unitOfWork.run(async (tx) => {
      const kind = await this.factors.claim(tx, person, code);
      if (kind === null) return null;
      await this.sessions.end(tx, person.id, waiting.id);
      if (kind === 'recovery') {
        await this.audit.record(tx, { person }, address, { action: 'person.recovery_code_used' });
      }
      return this.signIns.begin(tx, person, waiting.way, device);
    });
  }
}
