import { Column, Entity, Index } from 'typeorm';
import { UuidKey } from '../../platform/database/index.js';
import type { Principal, Scope } from '../../accounts/access/index.js';
import { makeUuid } from '../../platform/index.js';

/** Longest name, in characters. */
export const NAME_MAX = 60;

/** Settings of a saved view. */
export interface ViewSettings {
  name: string;
  /** A line of a filter. */
  line: string;
  /** Whether it is the team's: everybody's who acts there. */
  isTeams: boolean;
}

/** A line of a filter under a name, of one reader or of all who act for an account or for a client. */
@Entity('saved_views')
@Index('ix_saved_views_place', ['accountId', 'clientId', 'owner'])
export class SavedView implements Scope {
  @UuidKey() id: Buffer;
  @Column('int') accountId: number;
  /** Null for a view of the account itself, which its clients do not see. */
  @Column('int', { nullable: true }) clientId: number | null;
  /** Written by `ownerOf()`; null for the team. */
  @Column('varchar', { length: 32, nullable: true }) owner: string | null;
  @Column('varchar', { length: NAME_MAX }) name: string;
  @Column('varchar', { length: 255 }) line: string;

  static create(principal: Principal, settings: ViewSettings): SavedView {
    const { accountId, clientId } = principal;
    const view = Object.assign(new SavedView(), { id: makeUuid(), accountId, clientId });
    view.change(principal, settings);
    return view;
  }

  get isTeams() {
    return this.owner === null;
  }

  /** Applies what is given; a view that is the team's no more is that of whoever changes it. */
  change(principal: Principal, { name, line, isTeams }: Partial<ViewSettings>) {
    if (name !== undefined) this.name = name;
    if (line !== undefined) this.line = line;
    if (isTeams !== undefined) this.owner = isTeams ? null : ownerOf(principal);
  }
}

/** Returns how whoever asks is stored as an owner: a person, or a token. */
export function ownerOf({ reader }: Pick<Principal, 'reader'>) {
  return `${reader.kind}:${reader.id ?? ''}`;
}
