import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { PasskeysRepository } from './credentials.repository.js';
import { UnitOfWork } from '../../platform/database/index.js';
import { Passkey, type NewPasskey } from './credential.entity.js';
import { PersonAudit } from '../members/members.service.js';
import type { Person } from '../person/person.entity.js';
import { type SignedIn, OwnChanges } from '../sign-in/sign-in.service.js';
import { CeremoniesService, NO_SESSION, type AnsweredChallenge } from './ceremonies.service.js';
import { IdentitiesService } from './identities.service.js';
import { PasskeyNotFound, TooManyPasskeys } from '../person/person.errors.js';

/** Most passkeys of a person: more than anybody has devices; a browser gets the list of all of them. */
const PASSKEYS_MAX = 20;

/** A passkey that was checked, and the challenge that it answers. */
export interface CheckedPasskey {
  made: NewPasskey;
  challenge: AnsweredChallenge;
}

/** Adds, lists and removes the passkeys of people. */
@Injectable()
export class PasskeysService {
  constructor(
    private readonly passkeys: PasskeysRepository,
    private readonly ceremonies: CeremoniesService,
    private readonly identities: IdentitiesService,
    private readonly changes: OwnChanges,
    private readonly audit: PersonAudit,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Tells whether browsers keep passkeys for the address of this service. */
  get arePossible() {
    return this.ceremonies.arePossible;
  }

  /** Returns the passkeys of a person, oldest first. */
  listOf({ id }: Person): Promise<Passkey[]> {
    return this.passkeys.listOf(id);
  }

  /**
   * Returns what a browser needs to make a passkey for a person who is signed in.
   * @throws PasskeysOff, TooManyPasskeys
   */
  async optionsToAdd({ person, session }: SignedIn) {
    const known = await this.passkeys.listOf(person.id);
    assertRoom(known.length);
    return this.ceremonies.optionsToMake('further', person, known, session.id);
  }

  /**
   * Stores a passkey that the browser made, and ends all other sessions.
   * @param credential as the browser answers `optionsToAdd`
   * @throws PasskeysOff, PasskeyRefused, PasskeyKnown, TooManyPasskeys
   */
  async add(signedIn: SignedIn, name: string, credential: unknown, address: string): Promise<Passkey> {
    const checked = await this.ceremonies.checkMade('further', credential, signedIn.session.id);
    const make = this.changes.make(signedIn, address, 'passkey-added', async (tx, person) => {
      assertRoom((await this.passkeys.in(tx).listOf(person.id)).length);
      const passkey = await this.keep(tx, person, name, checked);
      return { action: 'person.factor_added', details: detailsOf(passkey), passkey };
    });
    return (await make).passkey;
  }

  /** @throws PasskeyNotFound */
  async rename(signedIn: SignedIn, id: Buffer | null, name: string, address: string): Promise<Passkey> {
    return this.unitOfWork.run(async (tx) => {
      const passkey = await this.passkeys.in(tx).get(signedIn.person.id, known(id));
      await this.passkeys.in(tx).rename(passkey, name);
      await this.audit.record(tx, signedIn, address, {
        action: 'person.passkey_renamed',
        details: { passkey: name, before: passkey.name },
      });
      return Object.assign(passkey, { name });
    });
  }

  /**
   * Removes a passkey, and ends all other sessions.
   * @throws PasskeyNotFound
   * @throws LastWayIn when the person could not sign in any more
   */
  async remove(signedIn: SignedIn, id: Buffer | null, address: string) {
    await this.changes.make(signedIn, address, 'passkey-removed', async (tx, person) => {
      const passkey = await this.passkeys.in(tx).get(person.id, known(id));
      await this.passkeys.in(tx).remove(passkey);
      await this.identities.assertWayIn(tx, person.id);
      return { action: 'person.factor_removed', details: detailsOf(passkey) };
    });
  }

  /**
   * Returns what a browser needs to make the first passkey of a new person.
   * @throws PasskeysOff
   */
  optionsForNew(details: { email: string; name: string }) {
    return this.ceremonies.optionsToMake('first', details, [], NO_SESSION);
  }

  /** @throws PasskeysOff, PasskeyRefused */
  checkFirst(credential: unknown): Promise<CheckedPasskey> {
    return this.ceremonies.checkMade('first', credential, NO_SESSION);
  }

  /**
   * Stores a passkey of a person, within a transaction.
   * @throws PasskeyRefused when its challenge was answered before
   * @throws PasskeyKnown
   */
  async keep(tx: EntityManager, { id }: Person, name: string, { made, challenge }: CheckedPasskey): Promise<Passkey> {
    await this.passkeys.in(tx).useUp(challenge.digest, challenge.expiresAt);
    const passkey = Passkey.create(id, name, made, this.unitOfWork.now());
    await this.passkeys.in(tx).insert(passkey);
    return passkey;
  }
}

/** @throws TooManyPasskeys */
function assertRoom(count: number) {
  if (count >= PASSKEYS_MAX) throw new TooManyPasskeys(PASSKEYS_MAX);
}

/** @throws PasskeyNotFound for text that cannot be an id */
function known(id: Buffer | null) {
  if (id === null) throw new PasskeyNotFound();
  return id;
}

/** Returns the details of an audit entry about a passkey. */
function detailsOf({ name }: Passkey) {
  return { factor: 'passkey', passkey: name };
}
