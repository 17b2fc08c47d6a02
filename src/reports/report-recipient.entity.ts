import { Column, Entity, Index } from 'typeorm';
import { DueRow } from '../platform/database/leased-rows.js';
import { makeUuid } from '../platform/kernel/uuid.js';
import { addMonths, lastMonth, mailedAt, mondayAfter, WHOLE_ACCOUNT } from './week.js';

/** Tries until a month is given up. */
const TRIES_MAX = 10;
/** Time until a mail that could not be sent is tried again, in seconds: twice as long after each try. */
const AGAIN_SECONDS = 600;
const AGAIN_MAX_SECONDS = 12 * 3_600;

/** Gets the report of a client by mail after each month, or the weekly mail of an account. */
@Entity('report_recipients')
@Index('ix_report_recipients_account', ['accountId'])
@Index('ix_report_recipients_client', ['clientId'])
@Index('ix_report_recipients_due', ['nextAt'])
export class ReportRecipient extends DueRow {
  @Column('int') accountId: number;
  /** WHOLE_ACCOUNT for the weekly mail. */
  @Column('int') clientId: number;
  @Column('varchar', { length: 255 }) email: string;
  /** How often its mail could not be sent. */
  @Column('int', { default: 0 }) tries: number;

  /** Makes a recipient whose first report is that of the month of `now`, or whose first mail goes out next Monday. */
  static create(of: { accountId: number; clientId: number }, email: string, now: Date) {
    const month = now.toISOString().slice(0, 7);
    const nextAt = of.clientId === WHOLE_ACCOUNT ? mondayAfter(now) : mailedAt(month);
    const lease = { leaseToken: null, leaseUntil: null };
    return Object.assign(new ReportRecipient(), {
      id: makeUuid(),
      ...of,
      email,
      nextAt,
      tries: 0,
      ...lease,
    });
  }

  get isWeekly(): boolean {
    return this.clientId === WHOLE_ACCOUNT;
  }

  /** The month that is reported next, the last one that is over by `nextAt`; such as `2030-01`. */
  get month(): string {
    return lastMonth(this.nextAt);
  }

  /** Goes on to the month after, or to the next Monday: a week that is over says nothing of now. */
  advance(now: Date): void {
    this.nextAt = this.isWeekly ? mondayAfter(now) : mailedAt(addMonths(this.month, 1));
    this.tries = 0;
  }

  /** Counts a try that failed. @returns the seconds until the next; null when the month is to be given up */
  fail(): number | null {
    this.tries += 1;
    if (this.tries >= TRIES_MAX) return null;
    return Math.min(AGAIN_SECONDS * 2 ** (this.tries - 1), AGAIN_MAX_SECONDS);
  }
}
