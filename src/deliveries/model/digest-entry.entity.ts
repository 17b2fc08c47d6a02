import { Entity, Index } from 'typeorm';
import { Uuid, UuidKey } from '../../platform/database/columns.js';

/** Stores that a mail to owners goes out within a digest of its destination, which is a delivery too. */
@Entity('digest_entries')
@Index('ix_digest_entries_digest', ['digestId', 'deliveryId'])
export class DigestEntry {
  @UuidKey('delivery_id')
  deliveryId: Buffer;

  @Uuid('digest_id')
  digestId: Buffer;
}
