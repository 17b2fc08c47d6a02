import { Injectable } from '@nestjs/common';
import { In, IsNull, type Repository } from 'typeorm';
import type { Scope } from '../access/principal.js';
import { DueRowsRepository } from '../platform/database/due-rows.js';
import { ViewDigest } from './view-digest.entity.js';

/** Reads and writes who is told of which view. */
@Injectable()
export class ViewDigestsRepository extends DueRowsRepository<ViewDigest> {
  protected get rows(): Repository<ViewDigest> {
    return this.source.manager.getRepository(ViewDigest);
  }

  find(viewId: Buffer, personId: number): Promise<ViewDigest | null> {
    return this.rows.findOneBy({ viewId, personId });
  }

  findById(id: Buffer): Promise<ViewDigest | null> {
    return this.rows.findOneBy({ id });
  }

  /** Returns the digests of a person of these views. */
  listFor(personId: number, viewIds: readonly Buffer[]): Promise<ViewDigest[]> {
    if (viewIds.length === 0) return Promise.resolve([]);
    return this.rows.findBy({ personId, viewId: In([...viewIds]) });
  }

  async save(digest: ViewDigest): Promise<void> {
    await this.rows.save(digest);
  }

  async remove({ id }: Pick<ViewDigest, 'id'>): Promise<void> {
    await this.rows.delete({ id });
  }

  async removeOfView(viewId: Buffer): Promise<void> {
    await this.rows.delete({ viewId });
  }

  /** Removes the digests of a person in one place, or of everybody there. */
  async removeIn({ accountId, clientId }: Scope, personId?: number): Promise<void> {
    await this.rows.delete({
      accountId,
      clientId: clientId ?? IsNull(),
      ...(personId !== undefined && { personId }),
    });
  }

  /** Stores until when a claimed digest told, and gives it back. */
  async advance(digest: ViewDigest, token: Buffer): Promise<void> {
    const { nextAt, toldUpTo } = digest;
    await this.complete(digest, token, { nextAt, toldUpTo });
  }
}
