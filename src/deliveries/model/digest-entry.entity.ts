import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Stores that a mail to owners goes out within a digest of its destination, which is a delivery too. */
@Entity('digest_entries')
@Index('ix_digest_entries_digest', ['digestId', 'deliveryId'])
export class DigestEntry {
  @PrimaryColumn('binary', { name: 'delivery_id', length: 16 })
  deliveryId: Buffer;

  @Column('binary', { name: 'digest_id', length: 16 })
  digestId: Buffer;
}
