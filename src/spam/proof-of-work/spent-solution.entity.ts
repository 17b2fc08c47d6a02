import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Remembers a solution that was sent, in the transaction of its submission, until it would end anyway. */
@Entity('spent_solutions')
@Index('uq_spent_solutions_nonce', ['nonce'], { unique: true })
@Index('ix_spent_solutions_end', ['expiresAt'])
export class SpentSolution {
  @PrimaryColumn('binary', { name: 'submission_id', length: 16 })
  submissionId: Buffer;

  /** Nonce of its challenge, which belongs to no form and no visitor. */
  @Column('binary', { name: 'nonce', length: 16 })
  nonce: Buffer;

  @Column('datetime', { name: 'expires_at', precision: 3 })
  expiresAt: Date;
}
