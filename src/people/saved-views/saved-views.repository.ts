import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import type { Principal, Scope } from '../../accounts/access/index.js';
import { TransactionalRepository } from '../../platform/database/index.js';
import { ownerOf, SavedView } from './saved-view.entity.js';

/** Reads and writes saved views. */
@Injectable()
export class SavedViewsRepository extends TransactionalRepository {
  private readonly views = this.rowsOf(SavedView);

  /** Returns the views that somebody has, the team's too, by name. */
  async listFor(principal: Principal): Promise<SavedView[]> {
    const views = await this.views.find({ where: visibleTo(principal) });
    return views.sort((a, b) => a.name.localeCompare(b.name, 'en') || a.id.compare(b.id));
  }

  find(principal: Principal, id: Buffer): Promise<SavedView | null> {
    return this.views.findOneBy(visibleTo(principal).map((each) => ({ ...each, id })));
  }

  /** Counts the views of an owner, or of the team for null. */
  countOf(scope: Scope, owner: string | null) {
    return this.views.countBy({ ...placeOf(scope), owner: owner ?? IsNull() });
  }

  async save(view: SavedView) {
    await this.views.save(view);
  }

  async remove({ id }: SavedView) {
    await this.views.delete({ id });
  }

  /** Removes the views of an owner in one place. */
  async removeOf(scope: Scope, owner: string) {
    await this.views.delete({ ...placeOf(scope), owner });
  }

  /** Removes all views of a place. */
  async removeIn(scope: Scope) {
    await this.views.delete(placeOf(scope));
  }
}

/** The account's own views are not its clients' views, and the other way round. */
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
