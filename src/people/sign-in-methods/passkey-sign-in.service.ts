import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { BegunSession } from '../sessions/sessions.service.js';
import { PasskeysRepository } from '../credentials/credentials.repository.js';
import { PeopleRepository } from '../person/people.repository.js';
import { UnitOfWork } from '../../platform/database/index.js';
import type { Device } from '../sessions/session.entity.js';
import { CeremoniesService, NO_SESSION, type AnsweredChallenge } from '../credentials/ceremonies.service.js';
import { credentialIdOf } from '../credentials/credential.js';
import { type Passkey, digestOfCredential } from '../credentials/credential.entity.js';
import { SignInTries, SignInService, type SignedIn } from '../sign-in/sign-in.service.js';
import { PasskeyRefused } from '../person/person.errors.js';

/** Signs people in by passkeys, and takes passkeys as proofs. */
@Injectable()
export class PasskeySignInService {
  constructor(
    private readonly passkeys: PasskeysRepository,
    private readonly ceremonies: CeremoniesService,
    private readonly people: PeopleRepository,
    private readonly signIns: SignInService,
    private readonly tries: SignInTries,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Returns what a browser needs to sign in; the person chooses among the passkeys that the device has.
   * @throws PasskeysOff
   */
  optionsToSignIn() {
    return this.ceremonies.optionsToSign('sign-in', [], NO_SESSION);
  }

  /**
   * Signs in by a passkey: it is something the person has, unlocked by something they know or are, so
   * that nothing else is asked for.
   * @param credential as the browser answers `optionsToSignIn`
   * @throws PasskeysOff, PasskeyRefused
   * @throws RateLimited when there were too many tries lately
   */
  async signIn(credential: unknown, device: Device): Promise<BegunSession> {
    const digest = digestOfCredential(credentialIdOf(credential) ?? NO_SESSION);
    const passkey = await this.passkeys.findByDigest(digest);
    const person = passkey && (await this.people.find(passkey.personId));
    await this.tries.admit('sign-in', person, person?.email ?? digest.toString('hex'), device.address);
    try {
      if (!person || person.isDisabled) throw new PasskeyRefused();
      const signed = await this.ceremonies.checkSigned('sign-in', credential, passkey, NO_SESSION);
      return await this.unitOfWork.run(async (tx) => {
        await this.use(tx, passkey, signed);
        return this.signIns.begin(tx, person, 'passkey', device);
      });
    } catch (error) {
      const event = { action: 'person.sign_in_refused' } as const;
      if (error instanceof PasskeyRefused) await this.tries.record(person, device.address, event);
      throw error;
    }
  }

  /**
   * Returns what a browser needs to prove by a passkey that it is still the same person.
   * @throws PasskeysOff
   */
  async optionsToProve({ person, session }: SignedIn) {
    const known = await this.passkeys.listOf(person.id);
    return this.ceremonies.optionsToSign('proof', known, session.id);
  }

  /**
   * Checks a proof.
   * @returns a function that uses it up, within the transaction of what it allows
   * @throws PasskeysOff, PasskeyRefused
   */
  async checkProof({ person, session }: SignedIn, credential: unknown): Promise<(tx: EntityManager) => Promise<void>> {
    const digest = digestOfCredential(credentialIdOf(credential) ?? NO_SESSION);
    const passkey = await this.passkeys.findByDigest(digest);
    if (passkey?.personId !== person.id) throw new PasskeyRefused();
    const signed = await this.ceremonies.checkSigned('proof', credential, passkey, session.id);
    return (tx) => this.use(tx, passkey, signed);
  }

  /** @throws PasskeyRefused when the challenge was answered, or the count was reached, meanwhile */
  private async use(
    tx: EntityManager,
    passkey: Passkey,
    { uses, challenge }: { uses: number; challenge: AnsweredChallenge },
  ) {
    await this.passkeys.in(tx).useUp(challenge.digest, challenge.expiresAt);
    const isNext = await this.passkeys.in(tx).countUse(passkey, uses, this.unitOfWork.now());
    if (!isNext) throw new PasskeyRefused();
  }
}
