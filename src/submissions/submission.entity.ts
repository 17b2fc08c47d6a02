import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { SubmittedValues } from './values/submitted-values.js';

/** What is known about where a submission came from. */
export interface SubmissionSource {
  /** The page's origin, such as `https://example.com`; null when the browser did not say. */
  origin: string | null;
  /** The page itself; null when the browser did not say. */
  referer: string | null;
  userAgent: string | null;
  /** As much of the visitor's address as STORE_IP allows. */
  address: string | null;
}

const MARKED_BY_HAND = 'It was marked as spam by hand.';

/** What a visitor sent through a form. */
@Entity('submissions')
@Index('ix_submissions_list', ['formId', 'trash', 'spam', 'id'])
@Index('ix_submissions_time', ['formId', 'id', 'trash', 'spam'])
export class Submission implements SubmissionSource {
  /** A UUID version 7: rises with time, so it orders the list. */
  @PrimaryColumn('binary', { name: 'id', length: 16 })
  id: Buffer;

  @Column('int', { name: 'form_id' })
  formId: number;

  @Column('boolean', { name: 'trash' })
  trash: boolean;

  @Column('boolean', { name: 'spam' })
  spam: boolean;

  /** Why it was taken for spam, in words for the owner. */
  @Column('varchar', { name: 'spam_reason', length: 255, nullable: true })
  spamReason: string | null;

  @Column('datetime', { name: 'created_at', precision: 3 })
  createdAt: Date;

  /** `SubmittedValues.encode()` */
  @Column('mediumtext', { name: 'payload' })
  payload: string;

  /** `SubmittedValues.searchText()`; not read back. */
  @Column('mediumtext', { name: 'search_text', select: false })
  searchText: string;

  @Column('varchar', { name: 'origin', length: 255, nullable: true })
  origin: string | null;

  @Column('text', { name: 'referer', nullable: true })
  referer: string | null;

  @Column('varchar', { name: 'user_agent', length: 512, nullable: true })
  userAgent: string | null;

  @Column('varchar', { name: 'address', length: 45, nullable: true })
  address: string | null;

  get values(): SubmittedValues {
    return SubmittedValues.decode(this.payload);
  }

  /** Takes it for spam or not, and to the trash or out of it; what is not given stays. */
  mark({ spam, trash }: { spam?: boolean; trash?: boolean }): void {
    if (spam === true && !this.spam) this.spamReason = MARKED_BY_HAND;
    if (spam === false) this.spamReason = null;
    this.spam = spam ?? this.spam;
    this.trash = trash ?? this.trash;
  }

  /**
   * Whether it has been spam from its arrival on. If so nothing was owed for it so far; whatever was
   * taken for spam by hand had owed before.
   */
  get wasSpamOnArrival(): boolean {
    return this.spam && this.spamReason !== MARKED_BY_HAND;
  }

  /** Whether `submission_count` counts it. */
  get isCounted(): boolean {
    return !this.spam && !this.trash;
  }
}
