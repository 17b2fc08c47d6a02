import { Column, Entity, Index } from 'typeorm';
import { Time, UuidKey } from '../../platform/database/index.js';
import type { Actor } from '../access/index.js';
import { makeUuid } from '../../platform/index.js';
import type { AuditAction } from './audit-actions.js';

/** An action and its target, before it is stored. */
export interface AuditEvent {
  /** Null for an action that concerns the instance, or a person without an account. */
  accountId: number | null;
  action: AuditAction;
  target: AuditTarget;
  /** Names and numbers about the action, never secrets or values of submissions. */
  details?: AuditDetails;
}

/** Names and numbers about an action, by key. */
export type AuditDetails = Record<string, string | number | boolean | null>;

/** An action of a principal, which has an account. */
export type PrincipalEvent = Omit<AuditEvent, 'accountId'>;

/** The thing that an action changed. */
export interface AuditTarget {
  kind: string;
  id: string | number | null;
  name: string | null;
}

const NAME_MAX = 255;

/** Records one action: who did it, to what, from where. Entries are inserted and never changed. */
@Entity('audit_entries')
@Index('ix_audit_entries_account', ['accountId', 'id'])
@Index('ix_audit_entries_action', ['accountId', 'action', 'id'])
@Index('ix_audit_entries_actor_kind', ['accountId', 'actorKind', 'id'])
@Index('ix_audit_entries_actor', ['accountId', 'actorId', 'id'])
@Index('ix_audit_entries_target_kind', ['accountId', 'targetKind', 'id'])
@Index('ix_audit_entries_target', ['accountId', 'targetId', 'id'])
export class AuditEntry {
  /** UUID version 7, so ordered by time. */
  @UuidKey() id: Buffer;
  @Time() at: Date;
  @Column('int', { nullable: true }) accountId: number | null;
  @Column('varchar', { length: 16 }) actorKind: Actor['kind'];
  @Column('int', { nullable: true }) actorId: number | null;
  @Column('varchar', { length: NAME_MAX }) actorName: string;
  @Column('varchar', { length: 64 }) action: string;
  @Column('varchar', { length: 32 }) targetKind: string;
  @Column('varchar', { length: 64, nullable: true }) targetId: string | null;
  @Column('varchar', { length: NAME_MAX, nullable: true }) targetName: string | null;
  /** JSON of an object. */
  @Column('text', { name: 'details', nullable: true }) private detailsJson: string | null;
  @Column('varchar', { length: 45, nullable: true }) address: string | null;

  static of(actor: Actor, { accountId, action, target, details = {} }: AuditEvent, now: Date) {
    return Object.assign(new AuditEntry(), {
      id: makeUuid(),
      at: now,
      accountId,
      actorKind: actor.kind,
      actorId: actor.id,
      actorName: actor.name.slice(0, NAME_MAX),
      action,
      targetKind: target.kind,
      targetId: target.id === null ? null : String(target.id),
      targetName: target.name?.slice(0, NAME_MAX) ?? null,
      detailsJson: Object.keys(details).length > 0 ? JSON.stringify(details) : null,
      address: actor.address,
    });
  }

  /** Returns the details; empty when there are none. */
  readDetails(): Record<string, unknown> {
    return JSON.parse(this.detailsJson ?? '{}') as Record<string, unknown>;
  }
}
