import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The form of rows that count all forms of an account. */
export const ALL_FORMS = 0;
/** Hours that one row counts; a day is one of UTC. */
export const HOUR = 1;
export const DAY = 24;

/** Counters by the columns of the table. */
export const COUNTERS = {
  submissions: 'submissions',
  spam: 'spam',
  mailsDelivered: 'mails_delivered',
  mailsLate: 'mails_late',
  mailsFailed: 'mails_failed',
  callsDelivered: 'calls_delivered',
  callsLate: 'calls_late',
  callsFailed: 'calls_failed',
} as const;
export type Counter = keyof typeof COUNTERS;
export const COUNTER_NAMES = Object.keys(COUNTERS) as Counter[];

/** A number for each of them. */
export type Sums = Record<Counter, number>;
export const NOTHING: Sums = sumsOf(() => 0);

/** Returns what a function says of each. */
export function sumsOf(valueOf: (counter: Counter) => number): Sums {
  const sums = {} as Sums;
  for (const name of COUNTER_NAMES) sums[name] = valueOf(name);
  return sums;
}

/**
 * Counts what a form, or all forms of an account, received within an hour or a day of UTC: what was received, by
 * its verdict now, and what became of the mails and calls that it caused. The trash, erasure and retention change
 * nothing; a form that is purged takes its counts along.
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
