import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../platform/kernel/time/clock.js';
import { SessionsService } from '../../sessions/sessions.service.js';
import { IdentitiesRepository } from '../credentials/identities.repository.js';
import { PasskeysRepository } from '../credentials/passkeys.repository.js';
import {
  PeopleMailService,
  type Recipient,
  type SignInChange,
} from '../links/people-mail.service.js';
import { AddressNotVerified } from '../person/person.errors.js';
import { PeopleRepository } from '../person/people.repository.js';
import { PersonAudit } from '../members/person-audit.service.js';
import type { Person } from '../person/person.entity.js';
import { RecoveryCodesRepository } from '../credentials/recovery-codes.repository.js';

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
  async endWays(tx: EntityManager, person: Person, but: Buffer | null = null): Promise<void> {
    const none = { passwordHash: null, totpSecret: null, totpStep: null };
    await this.people.in(tx).update(person, none);
    await this.codes.in(tx).replace(person.id, []);
    await this.passkeys.in(tx).removeAllOf(person.id);
    await this.identities.in(tx).removeAllOf(person.id);
    await this.sessions.endAllOf(tx, person.id, but);
  }

  /** @throws AddressNotVerified when a person could prove their address, and nobody has */
  assertTaken(person: Person): void {
    if (person.isUnproven && this.mails.isOn) throw new AddressNotVerified(person.email);
  }

  /** Tells a person by mail, once the proof is stored. */
  tell(to: Recipient, address: string, change: SignInChange = 'begun-anew'): void {
    this.mails.mailAboutChange(to, change, this.clock.now(), address);
  }
}
