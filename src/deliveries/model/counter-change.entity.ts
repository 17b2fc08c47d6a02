import { Column, Entity } from 'typeorm';
import { UuidKey } from '../../platform/database/columns.js';
import type { DeliveryCounter } from './fate.js';

/**
 * Queues what the end of an attempt changes in the counts: written with it, and added to them by the transaction that
 * removes it.
 */
@Entity('counter_changes')
export class QueuedChange {
  /** A UUID version 7, which rises with time. */
  @UuidKey('id')
  id: Buffer;

  @Column('int', { name: 'form_id' })
  formId: number;

  /** Whole hours since 1970, in UTC. */
  @Column('int', { name: 'hour' })
  hour: number;

  @Column('varchar', { name: 'counter', length: 16 })
  counter: DeliveryCounter;

  @Column('int', { name: 'amount' })
  amount: number;
}
