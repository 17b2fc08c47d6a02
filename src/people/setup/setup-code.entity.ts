import { Column, Entity, PrimaryColumn } from 'typeorm';

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

  @Column('datetime', { name: 'created_at', precision: 3 })
  createdAt: Date;

  /** Null for a code that works until it is claimed or replaced. */
  @Column('datetime', { name: 'expires_at', precision: 3, nullable: true })
  expiresAt: Date | null;
}
