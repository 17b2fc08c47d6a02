import { Entity, Index } from 'typeorm';
import { Time, Uuid, UuidKey, Expires } from '../../platform/database/index.js';

/** Remembers a solution that was sent, in the transaction of its submission, until it would end anyway. */
@Expires<SpentSolution>('expiresAt')
@Entity('spent_solutions')
@Index('uq_spent_solutions_nonce', ['nonce'], { unique: true })
@Index('ix_spent_solutions_end', ['expiresAt'])
export class SpentSolution {
  @UuidKey() submissionId: Buffer;
  /** Nonce of its challenge, which belongs to no form and no visitor. */
  @Uuid() nonce: Buffer;
  @Time() expiresAt: Date;
}
