import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { OutcomeName } from './attempt-result.js';

/** One try to deliver. */
@Entity('attempts')
@Index('ix_attempts_delivery', ['deliveryId', 'id'])
export class Attempt {
  /** A UUID version 7: rises with time. */
  @PrimaryColumn('binary', { name: 'id', length: 16 })
  id: Buffer;

  @Column('binary', { name: 'delivery_id', length: 16 })
  deliveryId: Buffer;

  @Column('datetime', { name: 'at', precision: 3 })
  at: Date;

  @Column('int', { name: 'duration_ms' })
  durationMs: number;

  /** Whether the schedule or a person asked for it. */
  @Column('varchar', { name: 'cause', length: 10 })
  trigger: 'scheduled' | 'manual';

  @Column('varchar', { name: 'outcome', length: 32 })
  outcome: OutcomeName;

  @Column('int', { name: 'code', nullable: true })
  code: number | null;

  @Column('text', { name: 'answer', nullable: true })
  answer: string | null;
}
