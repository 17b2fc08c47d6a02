import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Notes that a challenge was answered, until it would have expired: no instance takes it again. */
@Entity('used_challenges')
@Index('ix_used_challenges_expiry', ['expiresAt'])
export class UsedChallenge {
  /** SHA-256 of the challenge. */
  @PrimaryColumn('binary', { name: 'digest', length: 32 })
  digest: Buffer;

  @Column('datetime', { name: 'expires_at', precision: 3 })
  expiresAt: Date;
}
