import { Column, Entity, Index } from 'typeorm';
import { Time, UuidKey } from '../../platform/database/index.js';
import { BY_HAND, IMPORTED, MARKED_BY_HAND, type Verdict } from '../../spam/evidence/verdict.js';
import { answerLines, type AnswerLine } from './preview.js';
import { LANGUAGE_MAX } from '../../languages/words.js';
import { SUBJECT_MAX } from './page-address.js';
import { facetsOf, type Facet } from './facet.js';
import { SubmittedValues } from './submitted-values.js';

/** The code of spam that was none before it was judged again. */
const JUDGED_AGAIN = 'judged_again';
/** Codes of what was delivered, or was to be, before it was spam; and of what tells nobody. */
const HAD_DELIVERIES: ReadonlySet<string> = new Set([BY_HAND, JUDGED_AGAIN, IMPORTED]);

/** Where a submission came from, as far as it is stored. */
export interface SubmissionSource {
  /** The page's origin, such as `https://example.com`; null when the browser did not say. */
  origin: string | null;
  /** The page itself; null when the browser did not say. */
  referer: string | null;
  userAgent: string | null;
  /** As much of the visitor's address as STORE_IP allows. */
  address: string | null;
  /** Two letters, as the proxy of COUNTRY_HEADER says; null when it does not. */
  country: string | null;
  /** The language of the visitor, such as `de-ch`: that of the page, or the one that the browser prefers. */
  language: string | null;
  /** The subject that its page gives to the mails about it; null when it gives none. */
  subject: string | null;
}

/** Stores the values that a visitor sent through a form, and their source. */
@Entity('submissions')
@Index('ix_submissions_list', ['formId', 'trash', 'spam', 'done', 'id'])
@Index('ix_submissions_account', ['accountId', 'trash', 'spam', 'done', 'id', 'formId'])
@Index('ix_submissions_time', ['formId', 'id', 'trash', 'spam', 'done'])
export class Submission implements SubmissionSource {
  /** A UUID version 7, which rises with time and so orders the list. */
  @UuidKey() id: Buffer;
  @Column('int') formId: number;
  /** Account of the form; 0 until a task has found it, for what older versions stored. */
  @Column('int', { default: 0 }) accountId: number;
  @Column('boolean') trash: boolean;
  @Column('boolean') spam: boolean;
  /** Whether somebody has dealt with it. */
  @Column('boolean', { default: false }) done: boolean;
  /** Why it is spam, in words for the owner; null when it is not. */
  @Column('varchar', { length: 255, nullable: true }) spamReason: string | null;
  /** Name of the part that weighs most; null when it is not spam, or for spam from before codes were stored. */
  @Column('varchar', { length: 32, nullable: true }) spamCode: string | null;
  @Time() createdAt: Date;
  /** Written by `SubmittedValues.encode()`. */
  @Column('mediumtext') payload: string;
  /** Empty; older versions wrote here what is in `submission_texts` now. */
  @Column('mediumtext', { select: false }) searchText: string;
  @Column('varchar', { length: 255, nullable: true }) origin: string | null;
  @Column('text', { nullable: true }) referer: string | null;
  @Column('varchar', { length: 512, nullable: true }) userAgent: string | null;
  @Column('varchar', { length: 45, nullable: true }) address: string | null;
  @Column('varchar', { length: 2, nullable: true }) country: string | null;
  @Column('varchar', { length: LANGUAGE_MAX, nullable: true }) language: string | null;
  @Column('varchar', { length: SUBJECT_MAX, nullable: true }) subject: string | null;
  /** The rules by which it is counted (FACETS_NOW); null when it came before there were any. */
  @Column('int', { nullable: true }) facets: number | null;

  get values(): SubmittedValues {
    return SubmittedValues.decode(this.payload);
  }

  /** Its values as a person reads them, which is less work than `values` where they are long. */
  get texts(): { name: string; text: string; json: string }[] {
    return SubmittedValues.textsIn(this.payload);
  }

  /** Returns a line for each value, also for those in objects and lists. */
  get lines(): AnswerLine[] {
    return answerLines(this.texts);
  }

  /** Sets the marks; a mark that is not given stays. */
  mark({ spam, trash }: { spam?: boolean; trash?: boolean }) {
    if (spam === true && !this.spam) {
      this.spamReason = MARKED_BY_HAND;
      this.spamCode = BY_HAND;
    }
    if (spam === false) {
      this.spamReason = null;
      this.spamCode = null;
    }
    this.spam = spam ?? this.spam;
    this.trash = trash ?? this.trash;
  }

  /** Takes on what signals make of it when it is judged again. */
  follow({ isSpam, heaviest }: Verdict) {
    if (isSpam) {
      this.spamCode = this.wasSpamOnArrival ? (heaviest?.name ?? null) : JUDGED_AGAIN;
      this.spamReason = heaviest?.reason ?? null;
    } else {
      this.spamCode = null;
      this.spamReason = null;
    }
    this.spam = isSpam;
  }

  /**
   * Tells whether it has been spam since it was stored. If so, no deliveries exist for it; a submission
   * marked as spam by hand, or once it was judged again, had its deliveries before.
   */
  get wasSpamOnArrival() {
    return this.spam && this.spamCode !== null && !HAD_DELIVERIES.has(this.spamCode);
  }

  /** Returns what counts of pages, origins, countries, campaigns and fields have it under; nothing where they do not. */
  get countedBy(): Facet[] {
    return this.facets === null ? [] : facetsOf(this, this.payload.length, this.facets);
  }

  /** Tells whether `submission_count` includes it. */
  get isCounted() {
    return !this.spam && !this.trash;
  }
}
