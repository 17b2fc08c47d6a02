import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Scope } from '../access/principal.js';
import { makeUuid } from '../platform/kernel/uuid.js';
import { nextTime, type Every } from './digest-times.js';

/** Tells a person regularly by mail what is new in a saved view. */
@Entity('view_digests')
@Index('uq_view_digests', ['viewId', 'personId'], { unique: true })
@Index('ix_view_digests_due', ['nextAt'])
export class ViewDigest implements Scope {
  @PrimaryColumn('binary', { name: 'id', length: 16 })
  id: Buffer;

  @Column('binary', { name: 'view_id', length: 16 })
  viewId: Buffer;

  @Column('int', { name: 'person_id' })
  personId: number;

  /** Where the person acts who gets it: the account, or one of its clients. */
  @Column('int', { name: 'account_id' })
  accountId: number;

  @Column('int', { name: 'client_id', nullable: true })
  clientId: number | null;

  @Column('varchar', { name: 'every', length: 8 })
  every: Every;

  @Column('datetime', { name: 'next_at', precision: 3 })
  nextAt: Date;

  /** Id of the last submission that a digest covered; later ones are new. */
  @Column('binary', { name: 'told_up_to', length: 16 })
  toldUpTo: Buffer;

  @Column('binary', { name: 'lease_token', length: 16, nullable: true })
  leaseToken: Buffer | null;

  /** When another worker may take it over, by the database's clock. */
  @Column('datetime', { name: 'lease_until', precision: 3, nullable: true })
  leaseUntil: Date | null;

  static create(scope: Scope, personId: number, viewId: Buffer): ViewDigest {
    const { accountId, clientId } = scope;
    return Object.assign(new ViewDigest(), {
      id: makeUuid(),
      ...{ viewId, personId, accountId, clientId },
      toldUpTo: makeUuid(),
      leaseToken: null,
      leaseUntil: null,
    });
  }

  /** Sends it next at the first time that is after `now`. @param timeZone IANA name */
  schedule(every: Every, timeZone: string, now: Date): void {
    this.every = every;
    this.nextAt = nextTime(every, timeZone, now);
  }
}
