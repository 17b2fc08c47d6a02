import { Column, Entity, PrimaryColumn } from 'typeorm';

export const DIGEST_BYTES = 8;

/** Counts in how many submissions of each kind a model has seen a word, of which it keeps the digest alone. */
@Entity('spam_words')
export class SpamWord {
  @PrimaryColumn('int', { name: 'model_id' })
  modelId: number;

  @PrimaryColumn('binary', { name: 'digest', length: DIGEST_BYTES })
  digest: Buffer;

  @Column('int', { name: 'spam' })
  spam: number;

  @Column('int', { name: 'ham' })
  ham: number;
}
