import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Actor } from '../access/actor.js';
import { makeUuid } from '../platform/kernel/uuid.js';

/** What was done, to what. */
export interface AuditEvent {
  /** Null for what concerns the instance, or a person of no account yet. */
  accountId: number | null;
  /** Such as `person.signed_in`; docs/api/people.md lists them. */
  action: string;
  target: AuditTarget;
  /** What else is worth knowing: names and numbers, never secrets or values of submissions. */
  details?: Record<string, string | number | boolean | null>;
}

/** What something was done to. */
export interface AuditTarget {
  kind: string;
  id: string | number | null;
  name: string | null;
}

const NAME_MAX = 255;

/** One thing that was done: by whom, to what, from where. Entries are written and never changed. */
@Entity('audit_entries')
@Index('ix_audit_entries_account', ['accountId', 'id'])
export class AuditEntry {
  /** Time-ordered. */
  @PrimaryColumn('binary', { name: 'id', length: 16 })
  id: Buffer;

  @Column('datetime', { name: 'at', precision: 3 })
  at: Date;

  @Column('int', { name: 'account_id', nullable: true })
  accountId: number | null;

  @Column('varchar', { name: 'actor_kind', length: 16 })
  actorKind: Actor['kind'];

  @Column('int', { name: 'actor_id', nullable: true })
  actorId: number | null;

  @Column('varchar', { name: 'actor_name', length: NAME_MAX })
  actorName: string;

  @Column('varchar', { name: 'action', length: 64 })
  action: string;

  @Column('varchar', { name: 'target_kind', length: 32 })
  targetKind: string;

  @Column('varchar', { name: 'target_id', length: 64, nullable: true })
  targetId: string | null;

  @Column('varchar', { name: 'target_name', length: NAME_MAX, nullable: true })
  targetName: string | null;

  /** JSON of an object. */
  @Column('text', { name: 'details', nullable: true })
  private detailsJson: string | null;

  @Column('varchar', { name: 'address', length: 45, nullable: true })
  address: string | null;

  static of(actor: Actor, { accountId, action, target, details }: AuditEvent, now: Date) {
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
      detailsJson: details ? JSON.stringify(details) : null,
      address: actor.address,
    });
  }

  /** What else is known of it. */
  readDetails(): Record<string, unknown> {
    return JSON.parse(this.detailsJson ?? '{}') as Record<string, unknown>;
  }
}
