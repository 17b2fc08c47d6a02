import { Injectable } from '@nestjs/common';
import { isDuplicate } from '../../platform/database/database.errors.js';
import { TransactionalRepository } from '../../platform/database/transactional-repository.js';
import { Identity } from './identity.entity.js';
import { IdentityNotFound, IdentityTaken } from './credential.errors.js';

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
  async insert(identity: Identity): Promise<void> {
    try {
      await this.identities.insert(identity);
    } catch (error) {
      const rule = 'identities.issuer, identities.subject';
      if (isDuplicate(error, 'uq_identities_subject', rule)) throw new IdentityTaken();
      throw error;
    }
  }

  /** @throws IdentityNotFound */
  async remove(personId: number, id: Buffer): Promise<void> {
    const { affected } = await this.identities.delete({ personId, id });
    if (affected === 0) throw new IdentityNotFound();
  }

  async removeAllOf(personId: number): Promise<void> {
    await this.identities.delete({ personId });
  }
}
