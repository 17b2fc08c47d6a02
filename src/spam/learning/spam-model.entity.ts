import { Column, Entity, Index, PrimaryGeneratedColumn, PrimaryColumn } from 'typeorm';

/** The form of a model that judges the submissions of all forms of its account. */
export const ALL_FORMS = 0;

/**
 * Counts learned from marks. Marks of the account's own people count for all of its forms, those of clients
 * only for the form. A model without an account is abandoned: it judges nothing, and its words go.
 */
@Entity('spam_models')
@Index('uq_spam_models_form', ['accountId', 'formId'], { unique: true })
export class SpamModel {
  @PrimaryGeneratedColumn({ name: 'id' })
  id: number;

  @Column('int', { name: 'account_id', nullable: true })
  accountId: number | null;

  /** ALL_FORMS, or the form. */
  @Column('int', { name: 'form_id' })
  formId: number;

  /** Submissions that it learnt from as spam. */
  @Column('int', { name: 'spam' })
  spam: number;

  /** Submissions that it learnt from as no spam. */
  @Column('int', { name: 'ham' })
  ham: number;
}

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
