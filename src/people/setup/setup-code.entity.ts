import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Time } from '../../platform/database/columns.js';

/**
 * Makes its holder an owner, once. There is one code at most; only its hash is stored, and claiming it
 * removes the row.
 */
@Entity('setup_codes')
export class SetupCode {
  @PrimaryColumn('int', { name: 'id' })
  id: number;

  @Column('binary', { name: 'digest', length: 32 })
  digest: Buffer;

  @Column('int', { name: 'account_id' })
  accountId: number;

  @Time('created_at')
  createdAt: Date;

  /** Null for a code that works until it is claimed or replaced. */
  @Time('expires_at', { nullable: true })
  expiresAt: Date | null;
}
