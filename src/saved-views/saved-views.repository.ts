import { Injectable } from '@nestjs/common';
import { IsNull, In } from 'typeorm';
import type { Principal, Scope } from '../access/principal.js';
import { TransactionalRepository } from '../platform/database/sql.js';
import { ownerOf, SavedView, ViewDigest } from './saved-view.entity.js';
import { DueRowsRepository } from '../platform/database/leased-rows.js';

/** Reads and writes saved views. */
@Injectable()
export class SavedViewsRepository extends TransactionalRepository {
  private readonly views = this.rowsOf(SavedView);

  /** Returns the views that somebody has, those of the team too, by name. */
  async listFor(principal: Principal): Promise<SavedView[]> {
    const views = await this.views.find({ where: visibleTo(principal) });
    return views.sort((a, b) => a.name.localeCompare(b.name, 'en') || a.id.compare(b.id));
  }

  find(principal: Principal, id: Buffer): Promise<SavedView | null> {
    return this.views.findOneBy(visibleTo(principal).map((each) => ({ ...each, id })));
  }

  /** Counts the views of an owner, or of the team for null. */
  countOf(scope: Scope, owner: string | null): Promise<number> {
    return this.views.countBy({ ...placeOf(scope), owner: owner ?? IsNull() });
  }

  async save(view: SavedView): Promise<void> {
    await this.views.save(view);
  }

  async remove({ id }: SavedView): Promise<void> {
    await this.views.delete({ id });
  }

  /** Removes the views of an owner in one place. */
  async removeOf(scope: Scope, owner: string): Promise<void> {
    await this.views.delete({ ...placeOf(scope), owner });
  }

  /** Removes all views of a place. */
  async removeIn(scope: Scope): Promise<void> {
    await this.views.delete(placeOf(scope));
  }
}

/** The account's own views are not those of its clients, and the other way round. */
function placeOf({ accountId, clientId }: Scope) {
  return { accountId, clientId: clientId ?? IsNull() };
}

function visibleTo(principal: Principal) {
  const place = placeOf(principal);
  return [
    { ...place, owner: IsNull() },
    { ...place, owner: ownerOf(principal) },
  ];
}

/** Reads and writes who is told of which view. */
@Injectable()
export class ViewDigestsRepository extends DueRowsRepository<ViewDigest> {
  protected readonly rows = this.rowsOf(ViewDigest);

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
