import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Time } from '../../platform/database/index.js';

/**
 * Makes its holder an owner, once. There is one code at most; only its hash is stored, and claiming it removes the row.
 */
@Entity('setup_codes')
export class SetupCode {
  @PrimaryColumn('int') id: number;
  @Column('binary', { length: 32 }) digest: Buffer;
  @Column('int') accountId: number;
  @Time() createdAt: Date;
  /** Null for a code that works until it is claimed or replaced. */
  @Time({ nullable: true }) expiresAt: Date | null;
}
