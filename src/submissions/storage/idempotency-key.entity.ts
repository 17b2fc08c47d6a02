import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { Time } from '../../platform/database/index.js';

/** Stores the first answer to a request with an idempotency key, to repeat it. */
@Entity('idempotency_keys')
@Index('ix_idempotency_keys_created', ['createdAt'])
export class IdempotencyKey {
  @PrimaryColumn('int') formId: number;
  @PrimaryColumn('binary', { length: 32 }) keyHash: Buffer;
  @Column('binary', { length: 32 }) contentHash: Buffer;
  /** The JSON body of the answer. */
  @Column('mediumtext') answer: string;
  @Time() createdAt: Date;
}
