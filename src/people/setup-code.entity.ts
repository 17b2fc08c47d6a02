import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The one code that makes an owner. Only a digest of it is kept; who claims it removes the row. */
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

  /** Null: good until it is claimed or another takes its place. */
  @Column('datetime', { name: 'expires_at', precision: 3, nullable: true })
  expiresAt: Date | null;
}
