import { Column, Entity, Index } from 'typeorm';
import { Time, UuidKey } from '../database/columns.js';

/** Stores the requests of one caller in one window, added up by instances that share a database. */
@Entity('rate_counts')
@Index('ix_rate_counts_end', ['endsAt'])
export class RateCount {
  /** A hash: neither addresses nor tokens are stored here. */
  @UuidKey() id: Buffer;
  @Column('int') requests: number;
  @Time() endsAt: Date;
}
