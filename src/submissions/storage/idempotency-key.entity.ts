import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { Time } from '../../platform/database/columns.js';

/** Stores the first answer to a request with an idempotency key, to repeat it. */
@Entity('idempotency_keys')
@Index('ix_idempotency_keys_created', ['createdAt'])
export class IdempotencyKey {
  @PrimaryColumn('int', { name: 'form_id' })
  formId: number;

  @PrimaryColumn('binary', { name: 'key_hash', length: 32 })
  keyHash: Buffer;

  @Column('binary', { name: 'content_hash', length: 32 })
  contentHash: Buffer;

  /** The JSON body of the answer. */
  @Column('mediumtext', { name: 'answer' })
  answer: string;

  @Time('created_at')
  createdAt: Date;
}
