import { Column, Entity, Index } from 'typeorm';
import { Time, Uuid, UuidKey } from '../platform/database/columns.js';
import type { Scope } from '../access/principal.js';
import { makeUuid } from '../platform/kernel/uuid.js';
import { nextTime, type Every } from './digest-times.js';

/** Tells a person regularly by mail what is new in a saved view. */
@Entity('view_digests')
@Index('uq_view_digests', ['viewId', 'personId'], { unique: true })
@Index('ix_view_digests_due', ['nextAt'])
export class ViewDigest implements Scope {
  @UuidKey('id')
  id: Buffer;

  @Uuid('view_id')
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

  @Time('next_at')
  nextAt: Date;

  /** Id of the last submission that a digest covered; later ones are new. */
  @Uuid('told_up_to')
  toldUpTo: Buffer;

  @Uuid('lease_token', { nullable: true })
  leaseToken: Buffer | null;

  /** When another worker may take it over, by the database's clock. */
  @Time('lease_until', { nullable: true })
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
