import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Stores the requests of one caller in one window, added up by instances that share a database. */
@Entity('rate_counts')
@Index('ix_rate_counts_end', ['endsAt'])
export class RateCount {
  /** A hash: neither addresses nor tokens are stored here. */
  @PrimaryColumn('binary', { name: 'id', length: 16 })
  id: Buffer;

  @Column('int', { name: 'requests' })
  requests: number;

  @Column('datetime', { name: 'ends_at', precision: 3 })
  endsAt: Date;
}
