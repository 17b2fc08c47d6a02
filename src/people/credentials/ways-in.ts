import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { IdentitiesRepository, PasskeysRepository } from './credentials.repository.js';
import { LastWayIn } from './credential.errors.js';
import { PeopleRepository } from '../person/people.repository.js';

/** Keeps people from removing their last way to sign in. */
@Injectable()
export class WaysIn {
  constructor(
    private readonly people: PeopleRepository,
    private readonly passkeys: PasskeysRepository,
    private readonly identities: IdentitiesRepository,
  ) {}

  /**
   * Looks, within the transaction that removed a way, whether another is left: a password, a passkey or an
   * identity at a provider. A mail is none, since there may be no mail server tomorrow.
   * @throws LastWayIn
   */
  async assertLeft(tx: EntityManager, personId: number): Promise<void> {
    const { passwordHash } = await this.people.in(tx).getForUpdate(personId);
    if (passwordHash !== null) return;
    if ((await this.passkeys.in(tx).listOf(personId)).length > 0) return;
    if ((await this.identities.in(tx).listOf(personId)).length > 0) return;
    throw new LastWayIn();
  }
}
