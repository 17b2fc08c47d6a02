import { Column, Entity, Index } from 'typeorm';
import { Time, Uuid, UuidKey } from '../../platform/database/columns.js';
import type { OutcomeName } from './attempt-result.js';

/** Stores one attempt of a delivery, and how it ended. */
@Entity('attempts')
@Index('ix_attempts_delivery', ['deliveryId', 'id'])
export class Attempt {
  /** A UUID version 7, which rises with time. */
  @UuidKey('id')
  id: Buffer;

  @Uuid('delivery_id')
  deliveryId: Buffer;

  @Time('at')
  at: Date;

  @Column('int', { name: 'duration_ms' })
  durationMs: number;

  /**
   * The trigger of the attempt: the schedule, or a person (`manual`). `trigger` is a reserved word of SQL,
   * hence the column's name.
   */
  @Column('varchar', { name: 'cause', length: 10 })
  trigger: 'scheduled' | 'manual';

  @Column('varchar', { name: 'outcome', length: 32 })
  outcome: OutcomeName;

  @Column('int', { name: 'code', nullable: true })
  code: number | null;

  @Column('text', { name: 'answer', nullable: true })
  answer: string | null;
}
