import { Injectable } from '@nestjs/common';
import { isDuplicate, TransactionalRepository } from '../../platform/database/index.js';
import { Identity, Passkey, UsedChallenge, RecoveryCode } from './credential.entity.js';
import {
  IdentityNotFound,
  IdentityTaken,
  PasskeyKnown,
  PasskeyNotFound,
  PasskeyRefused,
} from '../person/person.errors.js';

/** Reads and writes identities at providers. */
@Injectable()
export class IdentitiesRepository extends TransactionalRepository {
  private readonly identities = this.rowsOf(Identity);

  findBySubject(issuer: string, subject: string): Promise<Identity | null> {
    return this.identities.findOneBy({ issuer, subject });
  }

  /** Returns the identities of a person, oldest first. */
  listOf(personId: number): Promise<Identity[]> {
    return this.identities.find({ where: { personId }, order: { id: 'ASC' } });
  }

  /** @throws IdentityTaken */
  async insert(identity: Identity) {
    try {
      await this.identities.insert(identity);
    } catch (error) {
      const rule = 'identities.issuer, identities.subject';
      if (isDuplicate(error, 'uq_identities_subject', rule)) throw new IdentityTaken();
      throw error;
    }
  }

  /** @throws IdentityNotFound */
  async remove(personId: number, id: Buffer) {
    const { affected } = await this.identities.delete({ personId, id });
    if (affected === 0) throw new IdentityNotFound();
  }

  async removeAllOf(personId: number) {
    await this.identities.delete({ personId });
  }
}

/** Reads and writes passkeys, and the challenges that were answered. */
@Injectable()
export class PasskeysRepository extends TransactionalRepository {
  private readonly passkeys = this.rowsOf(Passkey);
  private readonly challenges = this.rowsOf(UsedChallenge);

  /** Returns the passkeys of a person, oldest first. */
  listOf(personId: number): Promise<Passkey[]> {
    return this.passkeys.find({ where: { personId }, order: { id: 'ASC' } });
  }

  findByDigest(digest: Buffer): Promise<Passkey | null> {
    return this.passkeys.findOneBy({ digest });
  }

  /** @throws PasskeyNotFound when the person has no such passkey */
  async get(personId: number, id: Buffer): Promise<Passkey> {
    const passkey = await this.passkeys.findOneBy({ personId, id });
    if (!passkey) throw new PasskeyNotFound();
    return passkey;
  }

  /** @throws PasskeyKnown when a person has it already */
  async insert(passkey: Passkey) {
    try {
      await this.passkeys.insert(passkey);
    } catch (error) {
      if (isDuplicate(error, 'uq_passkeys_digest', 'passkeys.digest')) throw new PasskeyKnown();
      throw error;
    }
  }

  async rename({ id }: Passkey, name: string) {
    await this.passkeys.update({ id }, { name });
  }

  /**
   * Stores a use. Of two calls at once with the same count, one gets true.
   * @param uses as the authenticator counts them now; 0 when it counts nothing
   */
  async countUse({ id, uses: before }: Passkey, uses: number, lastUsedAt: Date) {
    const { affected } = await this.passkeys.update({ id, uses: before }, { uses, lastUsedAt });
    return affected === 1 || uses === 0;
  }

  async remove({ id }: Passkey) {
    await this.passkeys.delete({ id });
  }

  async removeAllOf(personId: number) {
    await this.passkeys.delete({ personId });
  }

  /**
   * Stores that a challenge was answered.
   * @throws PasskeyRefused when it was before
   */
  async useUp(digest: Buffer, expiresAt: Date) {
    try {
      await this.challenges.insert({ digest, expiresAt });
    } catch (error) {
      if (!isDuplicate(error, 'PRIMARY', 'used_challenges.digest')) throw error;
      throw new PasskeyRefused();
    }
  }
}

/** Reads and writes recovery codes. */
@Injectable()
export class RecoveryCodesRepository extends TransactionalRepository {
  private readonly codes = this.rowsOf(RecoveryCode);

  countOf(personId: number) {
    return this.codes.countBy({ personId });
  }

  /** Replaces all codes of the person. */
  async replace(personId: number, digests: Buffer[]) {
    await this.codes.delete({ personId });
    if (digests.length > 0) await this.codes.insert(digests.map((digest) => ({ digest, personId })));
  }

  /** Removes the code. Of two calls at once, one gets true. */
  async claim(personId: number, digest: Buffer) {
    const { affected } = await this.codes.delete({ personId, digest });
    return affected === 1;
  }
}
