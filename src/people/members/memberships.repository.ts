import { Injectable } from '@nestjs/common';
import {
  isDuplicate,
  TransactionalRepository,
  selectEntities,
  type Known,
  forUpdate,
} from '../../platform/database/index.js';
import { MembershipExists, PersonNotFound } from '../person/person.errors.js';
import { Membership } from './membership.entity.js';

/** Reads and writes memberships. */
@Injectable()
export class MembershipsRepository extends TransactionalRepository {
  private readonly memberships = this.rowsOf(Membership);

  /** Returns the memberships of a person, oldest first. */
  listOf(personId: number): Promise<Membership[]> {
    return this.oldestFirst({ personId });
  }

  /** Returns the people of these places of an account, oldest first; null is the account itself. */
  listIn(accountId: number, places: readonly (number | null)[]): Promise<Membership[]> {
    return this.oldestFirst({ accountId, clientKey: places.map((each) => Membership.keyOf(each)) });
  }

  /** Returns the people of an account and of all its clients, oldest first. */
  listAll(accountId: number): Promise<Membership[]> {
    return this.oldestFirst({ accountId });
  }

  /** Returns the memberships of these people in an account and its clients, oldest first. */
  listOfThese(accountId: number, ids: readonly number[]): Promise<Membership[]> {
    return this.oldestFirst({ accountId, personId: ids });
  }

  /** Counts the people of every account, its clients' people too. */
  async countByAccount(): Promise<Map<number, number>> {
    const rows = await this.memberships
      .createQueryBuilder('membership')
      .select('membership.accountId', 'accountId')
      .addSelect('COUNT(DISTINCT membership.personId)', 'people')
      .groupBy('membership.accountId')
      .getRawMany<{ accountId: number; people: number | string }>();
    return new Map(rows.map(({ accountId, people }) => [accountId, Number(people)]));
  }

  async findOf(personId: number, id: number): Promise<Membership | null> {
    const [found = null] = await this.oldestFirst({ personId, id });
    return found;
  }

  findIn(accountId: number, id: number): Promise<Membership | null> {
    return this.memberships.findOneBy({ accountId, id });
  }

  /**
   * Returns a membership and locks its row until the transaction ends.
   * @throws PersonNotFound when the person does not belong here
   */
  async getForUpdate(accountId: number, clientId: number | null, personId: number): Promise<Membership> {
    const clientKey = Membership.keyOf(clientId);
    const query = this.memberships.createQueryBuilder('membership').where({ accountId, clientKey, personId });
    const membership = await forUpdate(query).getOne();
    if (!membership) throw new PersonNotFound();
    return membership;
  }

  /** Returns the owners of an account, oldest first, and locks their rows until the transaction ends. */
  listOwnersForUpdate(accountId: number): Promise<Membership[]> {
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

  async remove({ id }: Membership) {
    await this.memberships.delete({ id });
  }

  private async oldestFirst(known: Known<Membership>) {
    const found = await selectEntities(this.source, Membership, known);
    return found.sort((a, b) => a.id - b.id);
  }
}
