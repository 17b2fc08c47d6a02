import { Injectable } from '@nestjs/common';
import type { EntityManager, Repository } from 'typeorm';
import { isDuplicate } from '../platform/database/database.errors.js';
import { ReadManager } from '../platform/database/read-manager.js';
import { forUpdate } from '../platform/database/row-lock.js';
import { MembershipExists, PersonNotFound } from './person.errors.js';
import { Membership } from './membership.entity.js';

/** Reads and writes memberships. */
@Injectable()
export class MembershipsRepository {
  constructor(private readonly source: ReadManager) {}

  in(tx: EntityManager): MembershipsRepository {
    return new MembershipsRepository({ manager: tx });
  }

  private get memberships(): Repository<Membership> {
    return this.source.manager.getRepository(Membership);
  }

  /** Where a person belongs, oldest first. */
  listOf(personId: number): Promise<Membership[]> {
    return this.memberships.find({ where: { personId }, order: { id: 'ASC' } });
  }

  /** @param clientId null: the members of the account itself, without its clients' people */
  listFor(accountId: number, clientId: number | null): Promise<Membership[]> {
    const clientKey = Membership.keyOf(clientId);
    return this.memberships
      .createQueryBuilder('membership')
      .where({ accountId, clientKey })
      .orderBy('membership.id', 'ASC')
      .getMany();
  }

  findOf(personId: number, id: number): Promise<Membership | null> {
    return this.memberships.findOneBy({ personId, id });
  }

  /**
   * What a person is here, kept from others until the transaction ends.
   * @throws PersonNotFound when the person does not belong here
   */
  async getForUpdate(
    accountId: number,
    clientId: number | null,
    personId: number,
  ): Promise<Membership> {
    const clientKey = Membership.keyOf(clientId);
    const query = this.memberships
      .createQueryBuilder('membership')
      .where({ accountId, clientKey, personId });
    const membership = await forUpdate(query).getOne();
    if (!membership) throw new PersonNotFound();
    return membership;
  }

  /** The owners of an account, kept from others until the transaction ends, in a fixed order. */
  holdOwners(accountId: number): Promise<Membership[]> {
    const query = this.memberships
      .createQueryBuilder('membership')
      .where({ accountId, role: 'owner' })
      .orderBy('membership.id', 'ASC');
    return forUpdate(query).getMany();
  }

  /** @throws MembershipExists */
  async save(membership: Membership): Promise<Membership> {
    try {
      return await this.memberships.save(membership);
    } catch (error) {
      if (isDuplicate(error, 'uq_memberships', 'memberships.person_id')) {
        throw new MembershipExists();
      }
      throw error;
    }
  }

  async remove({ id }: Membership): Promise<void> {
    await this.memberships.delete({ id });
  }
}
