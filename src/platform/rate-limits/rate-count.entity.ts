import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Requests of one caller in one window, as instances that share a database add them up. */
@Entity('rate_counts')
@Index('ix_rate_counts_end', ['endsAt'])
export class RateCount {
  /** A digest: neither addresses nor tokens are stored for this. */
  @PrimaryColumn('binary', { name: 'id', length: 16 })
  id: Buffer;

  @Column('int', { name: 'requests' })
  requests: number;

  @Column('datetime', { name: 'ends_at', precision: 3 })
  endsAt: Date;
}
