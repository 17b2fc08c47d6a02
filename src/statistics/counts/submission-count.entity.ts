import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Sums } from './sums.js';

/** The form of rows that count all forms of an account. */
export const ALL_FORMS = 0;
/** Hours that one row counts; a day is one of UTC. */
export const HOUR = 1;
export const DAY = 24;

/**
 * Counts what a form, or all forms of an account, received within an hour or a day of UTC: what was received, by
 * its verdict now, and what became of the mails and calls that it caused. The trash, erasure and retention change
 * nothing; a form that is purged takes its counts along, and so does an import that is undone.
 */
@Entity('submission_counts')
export class SubmissionCount implements Sums {
  @PrimaryColumn('int', { name: 'account_id' })
  accountId: number;

  /** ALL_FORMS for the account. */
  @PrimaryColumn('int', { name: 'form_id' })
  formId: number;

  /** HOUR or DAY. */
  @PrimaryColumn('int', { name: 'length' })
  length: number;

  /** Whole hours from 1970 to its begin, in UTC. */
  @PrimaryColumn('int', { name: 'begins' })
  begins: number;

  /** Those that are not spam. */
  @Column('int', { name: 'submissions' })
  submissions: number;

  @Column('int', { name: 'spam' })
  spam: number;

  /** At the first try. */
  @Column('int', { name: 'mails_delivered', default: 0 })
  mailsDelivered: number;

  /** After a try that failed. */
  @Column('int', { name: 'mails_late', default: 0 })
  mailsLate: number;

  @Column('int', { name: 'mails_failed', default: 0 })
  mailsFailed: number;

  @Column('int', { name: 'calls_delivered', default: 0 })
  callsDelivered: number;

  @Column('int', { name: 'calls_late', default: 0 })
  callsLate: number;

  @Column('int', { name: 'calls_failed', default: 0 })
  callsFailed: number;
}
