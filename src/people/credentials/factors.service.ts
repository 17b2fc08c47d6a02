import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { Clock, hashSecret } from '../../platform/index.js';
import { isTotpSecret, totpStepOf } from './credential.js';
import { PeopleRepository } from '../person/people.repository.js';
import { CodeWrong } from '../person/person.errors.js';
import type { Person } from '../person/person.entity.js';
import { RecoveryCodesRepository } from './credentials.repository.js';
import { type SignedIn, OwnChanges } from '../sign-in/sign-in.service.js';

/** Recovery codes of a person: enough for years of lost telephones, few enough to print. */
const RECOVERY_CODES = 10;

/** Bytes of a recovery code: 80 bits cannot be guessed, so a hash without salt and cost is enough. */
const CODE_BYTES = 10;

/** How the audit log names each change. */
const ACTIONS = {
  'totp-added': 'person.factor_added',
  'totp-removed': 'person.factor_removed',
  'codes-renewed': 'person.recovery_codes_renewed',
} as const;

type TotpChange = keyof typeof ACTIONS;

/** Changes and checks a person's second factor: codes of an authenticator app, or recovery codes. */
@Injectable()
export class FactorsService {
  constructor(
    private readonly people: PeopleRepository,
    private readonly codes: RecoveryCodesRepository,
    private readonly changes: OwnChanges,
    private readonly clock: Clock,
  ) {}

  /** Returns how many recovery codes a person has left. */
  codesLeft({ id }: Person) {
    return this.codes.countOf(id);
  }

  /**
   * Asks for codes of an authenticator app from now on, and ends all other sessions.
   * @param secret that the app was given
   * @param code that the app shows, which proves that it has the secret
   * @returns the recovery codes, which are known only now
   * @throws CodeWrong
   */
  async addTotp(signedIn: SignedIn, secret: string, code: string, address: string) {
    const step = isTotpSecret(secret) ? totpStepOf(secret, code, this.clock.now()) : null;
    if (step === null) throw new CodeWrong();
    return this.change(signedIn, address, 'totp-added', async (tx, person) => {
      await this.people.in(tx).update(person, { totpSecret: secret, totpStep: step });
      return this.putCodes(tx, person);
    });
  }

  /** Asks for the password alone from now on, and ends all other sessions. */
  async removeTotp(signedIn: SignedIn, address: string) {
    await this.change(signedIn, address, 'totp-removed', async (tx, person) => {
      await this.people.in(tx).update(person, { totpSecret: null, totpStep: null });
      await this.codes.in(tx).replace(person.id, []);
    });
  }

  /** Replaces the recovery codes. @returns the new ones, which are known only now */
  async renewCodes(signedIn: SignedIn, address: string): Promise<string[]> {
    return this.change(signedIn, address, 'codes-renewed', (tx, person) => this.putCodes(tx, person));
  }

  /**
   * Uses up a code of the authenticator app, or a recovery code.
   * @returns which it was; null for a wrong one
   */
  async claim(tx: EntityManager, person: Person, code: string): Promise<'totp' | 'recovery' | null> {
    const { id, totpSecret } = person;
    if (totpSecret === null) return null;
    const step = totpStepOf(totpSecret, code, this.clock.now());
    if (step !== null) return (await this.people.in(tx).claimTotpStep(id, step)) ? 'totp' : null;
    return (await this.codes.in(tx).claim(id, digestOf(id, code))) ? 'recovery' : null;
  }

  /** Changes the factors of a person, ends their other sessions, and mails them about it. */
  private async change<T>(
    signedIn: SignedIn,
    address: string,
    kind: TotpChange,
    change: (tx: EntityManager, person: Person) => Promise<T>,
  ) {
    const event = { action: ACTIONS[kind], details: { factor: 'totp' } };
    const { result } = await this.changes.make(signedIn, address, kind, async (tx, person) => ({
      ...event,
      result: await change(tx, person),
    }));
    return result;
  }

  private async putCodes(tx: EntityManager, { id }: Person) {
    const codes = Array.from({ length: RECOVERY_CODES }, () => newCode());
    await this.codes.in(tx).replace(
      id,
      codes.map((code) => digestOf(id, code)),
    );
    return codes;
  }
}

/** Returns a new code: five groups of four hex digits. */
function newCode() {
  return randomBytes(CODE_BYTES)
    .toString('hex')
    .replace(/(.{4})(?!$)/g, '$1-');
}

/** Hashes person and code, so that a code opens one person's account alone. Blanks and capitals do not matter. */
function digestOf(personId: number, code: string) {
  return hashSecret(`${personId}:${code.toLowerCase().replaceAll(/[\s-]/g, '')}`);
}
