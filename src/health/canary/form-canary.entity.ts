import { Column, Entity, Index } from 'typeorm';
import { Time, UuidKey } from '../../platform/database/index.js';
import { HOUR_MS, MINUTE_MS, makeUuid } from '../../platform/index.js';
import { nextRun, type Schedule, failureIn, type Step } from './step.js';

/** Time until a first failure is looked at again, in milliseconds: sites and networks have bad minutes. */
const CONFIRM_AFTER_MS = 10 * MINUTE_MS;
/** Longest time until a failure that is confirmed is looked at again, in milliseconds, so that a repair is seen. */
const FAILING_EVERY_MS = 6 * HOUR_MS;

/** Stores when the canary of a form runs, and how its last run ended. */
@Entity('form_canaries')
@Index('uq_form_canaries_form', ['formId'], { unique: true })
@Index('ix_form_canaries_failing', ['failedSince'])
export class FormCanary {
  @UuidKey() id: Buffer;
  @Column('int') formId: number;
  @Column('int') accountId: number;
  @Column('varchar', { length: 8 }) schedule: Schedule;
  /** The page that has the form; null for that which most of the newest submissions came from. */
  @Column('text', { nullable: true }) page: string | null;
  /** Runs in a row that failed. */
  @Column('int', { default: 0 }) tries: number;
  @Time({ nullable: true }) ranAt: Date | null;
  /** The steps of the last run as JSON; null before the first. */
  @Column('mediumtext', { nullable: true }) result: string | null;
  /** Since when it fails, once a second run has confirmed it; null while it is well. */
  @Time({ nullable: true }) failedSince: Date | null;
  /** When it runs next, by its job; null when it does not. */
  nextRunAt: Date | null;

  /** Makes a canary that runs once a week. */
  static create(form: { id: number; accountId: number }, now: Date): FormCanary {
    return Object.assign(new FormCanary(), {
      ...{ id: makeUuid(), formId: form.id, accountId: form.accountId },
      ...{ schedule: 'weekly', page: null, nextRunAt: nextRun('weekly', form.id, now) },
      ...{ tries: 0, ranAt: null, result: null, failedSince: null },
    });
  }

  /** The steps of the last run; none before the first. */
  get steps(): Step[] {
    return this.result === null ? [] : (JSON.parse(this.result) as Step[]);
  }

  /** Changes settings; false for none. What another page or schedule makes of a failure is for the next run to say. */
  change(to: Partial<Pick<FormCanary, 'schedule' | 'page'>>, now: Date) {
    const { schedule, page } = this;
    Object.assign(this, to);
    if (schedule === this.schedule && page === this.page) return false;
    this.nextRunAt = nextRun(this.schedule, this.formId, now);
    // Nobody looks again at what is off, so that nothing would end the failure.
    if (this.schedule === 'off' || page !== this.page) {
      this.failedSince = null;
      this.tries = 0;
    }
    return true;
  }

  /** Leaves a run out, as of a form that takes no submissions: nothing fails. */
  leaveOut(now: Date) {
    this.failedSince = null;
    this.tries = 0;
    this.nextRunAt = nextRun(this.schedule, this.formId, now);
  }

  /**
   * Takes what a run found. A failure counts once a later run of the schedule has confirmed it.
   * @param isScheduled whether the schedule asked for it, and nobody by hand
   */
  take(steps: readonly Step[], isScheduled: boolean, now: Date) {
    const { ranAt, tries } = this;
    this.result = JSON.stringify(steps);
    this.ranAt = now;
    const next = nextRun(this.schedule, this.formId, now);
    if (!failureIn(steps)) {
      this.failedSince = null;
      this.tries = 0;
      this.nextRunAt = next;
      return;
    }
    this.tries += 1;
    if (isScheduled && tries > 0) this.failedSince ??= ranAt;
    const again = now.getTime() + (this.failedSince === null ? CONFIRM_AFTER_MS : FAILING_EVERY_MS);
    this.nextRunAt = next && new Date(Math.min(next.getTime(), again));
  }
}
