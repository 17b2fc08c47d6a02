import { Column, Entity, Index, PrimaryGeneratedColumn, PrimaryColumn } from 'typeorm';
import { UuidKey } from '../../platform/database/index.js';

/** Kind of example that a submission is. */
export type SpamKind = 'spam' | 'ham';

/**
 * Keeps what is learnt from a submission, so that it can be taken back exactly. People's marks make it pending;
 * a task learns then what the marks say by that time.
 */
@Entity('spam_lessons')
@Index('ix_spam_lessons_pending', ['pending', 'submissionId'])
@Index('ix_spam_lessons_account', ['accountId', 'modelId', 'taught', 'submissionId'])
export class SpamLesson {
  @UuidKey() submissionId: Buffer;
  @Column('int') accountId: number;
  /** The form that it is for, or ALL_FORMS; who marked it last decides. */
  @Column('int') formId: number;
  /** Decision of a person; null where other marks tell, such as a star. */
  @Column('varchar', { length: 4, nullable: true }) said: SpamKind | null;
  /** Whether there is something to learn or to take back. */
  @Column('boolean') pending: boolean;
  /** The model that has its words; null for none. */
  @Column('int', { nullable: true }) modelId: number | null;
  /** Kind as which the model learned it; null for none. */
  @Column('varchar', { length: 4, nullable: true }) taught: SpamKind | null;
  /** Digests of the words that were learnt, one after the other; null before. */
  @Column('blob', { nullable: true }) words: Buffer | null;
}

/** The form of a model that judges the submissions of all forms of its account. */
export const ALL_FORMS = 0;

/**
 * Counts learned from marks. Marks of the account's own people count for all of its forms, marks of clients
 * only for the form. A model without an account is abandoned: it judges nothing, and its words go.
 */
@Entity('spam_models')
@Index('uq_spam_models_form', ['accountId', 'formId'], { unique: true })
export class SpamModel {
  @PrimaryGeneratedColumn() id: number;
  @Column('int', { nullable: true }) accountId: number | null;
  /** ALL_FORMS, or the form. */
  @Column('int') formId: number;
  /** Submissions that it learnt from as spam. */
  @Column('int') spam: number;
  /** Submissions that it learnt from as no spam. */
  @Column('int') ham: number;
}

export const DIGEST_BYTES = 8;

/** Counts in how many submissions of each kind a model has seen a word, of which it keeps the digest alone. */
@Entity('spam_words')
export class SpamWord {
  @PrimaryColumn('int') modelId: number;
  @PrimaryColumn('binary', { length: DIGEST_BYTES }) digest: Buffer;
  @Column('int') spam: number;
  @Column('int') ham: number;
}
