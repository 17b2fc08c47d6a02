import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Sums } from './sums.js';

/**
 * Counts what a form, or all forms of an account, received within an hour or a day of UTC: what was received, by
 * its verdict now, and what became of the mails and calls that it caused. The trash, erasure and retention change
 * nothing; a form that is purged takes its counts along, and so does an import that is undone.
 */
@Entity('submission_counts')
export class SubmissionCount implements Sums {
  @PrimaryColumn('int') accountId: number;
  /** ALL_FORMS for the account. */
  @PrimaryColumn('int') formId: number;
  /** HOUR or DAY. */
  @PrimaryColumn('int') length: number;
  /** Whole hours from 1970 to its begin, in UTC. */
  @PrimaryColumn('int') begins: number;
  /** Those that are not spam. */
  @Column('int') submissions: number;
  @Column('int') spam: number;
  /** Submissions among them that were imported. */
  @Column('int', { default: 0 }) imported: number;
  /** At the first try. */
  @Column('int', { default: 0 }) mailsDelivered: number;
  /** After a try that failed. */
  @Column('int', { default: 0 }) mailsLate: number;
  @Column('int', { default: 0 }) mailsFailed: number;
  @Column('int', { default: 0 }) callsDelivered: number;
  @Column('int', { default: 0 }) callsLate: number;
  @Column('int', { default: 0 }) callsFailed: number;
}
