import { Injectable } from '@nestjs/common';
import { In, IsNull, LessThanOrEqual, Raw, type Repository } from 'typeorm';
import type { Scope } from '../access/principal.js';
import { databaseTime } from '../platform/database/database-time.js';
import { TransactionalRepository } from '../platform/database/transactional-repository.js';
import { ViewDigest } from './view-digest.entity.js';

/** Reads and writes who is told of which view. */
@Injectable()
export class ViewDigestsRepository extends TransactionalRepository {
  private get digests(): Repository<ViewDigest> {
    return this.source.manager.getRepository(ViewDigest);
  }

  find(viewId: Buffer, personId: number): Promise<ViewDigest | null> {
    return this.digests.findOneBy({ viewId, personId });
  }

  findById(id: Buffer): Promise<ViewDigest | null> {
    return this.digests.findOneBy({ id });
  }

  /** Returns the digests of a person of these views. */
  listFor(personId: number, viewIds: readonly Buffer[]): Promise<ViewDigest[]> {
    if (viewIds.length === 0) return Promise.resolve([]);
    return this.digests.findBy({ personId, viewId: In([...viewIds]) });
  }

  async save(digest: ViewDigest): Promise<void> {
    await this.digests.save(digest);
  }

  async remove({ id }: Pick<ViewDigest, 'id'>): Promise<void> {
    await this.digests.delete({ id });
  }

  async removeOfView(viewId: Buffer): Promise<void> {
    await this.digests.delete({ viewId });
  }

  /** Removes the digests of a person in one place, or of everybody there. */
  async removeIn({ accountId, clientId }: Scope, personId?: number): Promise<void> {
    await this.digests.delete({
      accountId,
      clientId: clientId ?? IsNull(),
      ...(personId !== undefined && { personId }),
    });
  }

  /**
   * Claims a digest that is due and that no other worker has. The update is guarded by the lease, so of several
   * workers exactly one gets it; the lease uses the database's clock.
   * @returns null when there is none, or another was faster
   */
  async claimNext(now: Date, token: Buffer, leaseSeconds: number): Promise<ViewDigest | null> {
    const clock = databaseTime(this.source.manager.dataSource);
    const over = Raw<Date>((column) => `${column} < ${clock}`);
    const nextAt = LessThanOrEqual(now);
    const free = [
      { nextAt, leaseUntil: IsNull() },
      { nextAt, leaseUntil: over },
    ];
    const [next] = await this.digests.find({ where: free, order: { nextAt: 'ASC' }, take: 1 });
    if (!next) return null;
    const { id } = next;
    for (const each of free) {
      const lease = { leaseToken: token, leaseUntil: this.timeIn(leaseSeconds) };
      await this.digests.update({ ...each, id }, lease);
    }
    return this.digests.findOneBy({ id, leaseToken: token });
  }

  /** Keeps a claimed digest. @returns false when the lease was lost */
  async renew({ id }: ViewDigest, token: Buffer, leaseSeconds: number): Promise<boolean> {
    const changes = { leaseUntil: this.timeIn(leaseSeconds) };
    const { affected } = await this.digests.update({ id, leaseToken: token }, changes);
    return affected !== 0;
  }

  /** Stores until when a claimed digest told, and gives it back. */
  async advance({ id, nextAt, toldUpTo }: ViewDigest, token: Buffer): Promise<void> {
    const changes = { nextAt, toldUpTo, leaseToken: null, leaseUntil: null };
    await this.digests.update({ id, leaseToken: token }, changes);
  }

  /** Gives a claimed digest back; no worker gets it for so long. */
  async release({ id }: ViewDigest, token: Buffer, seconds = 0): Promise<void> {
    const leaseUntil = this.timeIn(seconds);
    await this.digests.update({ id, leaseToken: token }, { leaseToken: null, leaseUntil });
  }

  private timeIn(seconds: number): () => string {
    return () => databaseTime(this.source.manager.dataSource, seconds);
  }
}
