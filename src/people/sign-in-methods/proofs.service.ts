import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ProofWay } from '../../access/access.errors.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { RateLimits } from '../../platform/rate-limits/rate-limits.js';
import { SessionsService, type BegunSession } from '../../sessions/sessions.service.js';
import { FactorsService } from '../credentials/factors.service.js';
import { PasskeyRefused } from '../credentials/credential.errors.js';
import { PasskeySignInService } from './passkey-sign-in.service.js';
import { PasskeysService } from '../credentials/passkeys.service.js';
import { Passwords } from '../person/passwords.js';
import { PersonAudit } from '../members/person-audit.service.js';
import { CodeRefused, CurrentPasswordWrong, ProofRefused } from '../person/person.errors.js';
import { Person } from '../person/person.entity.js';
import type { SignedIn } from '../sign-in/sign-in.service.js';

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
    this.limits.admitSignIn(address, Person.keyOf(person.email), true);
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
  async assertPassword(
    signedIn: SignedIn,
    password: string | null,
    address: string,
  ): Promise<void> {
    const { email, passwordHash } = signedIn.person;
    this.limits.admitSignIn(address, Person.keyOf(email), true);
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
