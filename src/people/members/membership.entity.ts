import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Time } from '../../platform/database/index.js';
import { type Scope, ACTIONS, type Action, type Role } from '../../accounts/access/index.js';

/** The terms of a membership: a role in an account, or actions for one of its clients. */
export type Standing =
  | { readonly clientId: null; readonly role: Role }
  | { readonly clientId: number; readonly actions: readonly Action[] };

/** Stored for a membership of the account itself: a unique index takes any number of nulls. */
const NO_CLIENT = 0;

/** Lets a person act in an account, or for one client of it. */
@Entity('memberships')
@Index('uq_memberships', ['personId', 'accountId', 'clientKey'], { unique: true })
@Index('ix_memberships_account', ['accountId', 'id'])
export class Membership implements Scope {
  @PrimaryGeneratedColumn() id: number;
  @Column('int') personId: number;
  @Column('int') accountId: number;
  /** Id of the client, or NO_CLIENT. */
  @Column('int') clientKey: number;
  /** The role in the account; null for a person of a client. */
  @Column('varchar', { length: 16, nullable: true }) role: Role | null;
  /** Actions of a person of a client, comma-separated; null for a member of the account. */
  @Column('varchar', { name: 'actions', length: 64, nullable: true }) private allowed: string | null;
  @Time() createdAt: Date;
  /** When the membership was disabled; null while it is not. */
  @Time({ nullable: true }) disabledAt: Date | null;

  static create(personId: number, accountId: number, standing: Standing, now: Date): Membership {
    const membership = Object.assign(new Membership(), { personId, accountId, createdAt: now, disabledAt: null });
    membership.clientKey = standing.clientId ?? NO_CLIENT;
    membership.become(standing);
    return membership;
  }

  /** Returns how the client's id is stored. */
  static keyOf(clientId: number | null) {
    return clientId ?? NO_CLIENT;
  }

  /** Replaces the role or the actions. */
  become(standing: Standing) {
    this.role = standing.clientId === null ? standing.role : null;
    this.allowed = standing.clientId === null ? null : standing.actions.join(',');
  }

  get clientId(): number | null {
    return this.clientKey === NO_CLIENT ? null : this.clientKey;
  }

  /** Returns the actions allowed on submissions; all for a member of the account, within its role's rights. */
  get actions(): readonly Action[] {
    if (this.role !== null) return ACTIONS;
    const allowed = this.allowed?.split(',') ?? [];
    return ACTIONS.filter((action) => allowed.includes(action));
  }
}
