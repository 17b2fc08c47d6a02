import { FormClosed, FormFull, FormFullForNow, FormNotOpenYet, FormPaused, type FormShut } from './form.errors.js';
import type { Form } from './form.entity.js';
import { choice, flag, moment, optional, setting, SettingGroup, text, whole, type ValuesOf } from './setting.js';

/** Parts of time for which a number of submissions can be set; they begin at midnight in UTC, weeks on Monday. */
const PERIODS = ['day', 'week', 'month'] as const;

/** Times when a form takes submissions, and how many. */
export const INTAKE = new SettingGroup({
  path: 'intake',
  column: 'intakeGate',
  routes: {
    show: 'Show whether a form is paused, when it opens and closes, and how many submissions it takes.',
    set: 'Pause or open a form, and set when it opens and closes. What is not named gets its default.',
  },
  settings: {
    paused: setting(flag, false, {
      says: 'Whether the form takes no submissions now',
      many: 'paused',
      page: { section: 'keep', label: 'Pause this form', hint: 'We refuse all submissions until you open it again.' },
    }),
    message: optional(text({ min: 1, max: 500, trim: true, lines: true }), {
      says: 'Sentence for visitors while it is closed',
      none: 'for ours',
      many: 'closed_message',
      page: { section: 'visitors', label: 'Message while the form is closed', hint: 'Leave empty to use our text.' },
    }),
    opensAt: optional(moment, {
      says: 'When it opens',
      none: 'for at once',
      many: 'opens_at',
      page: { section: 'keep', label: 'Open on', hint: 'Leave empty to open now.' },
    }),
    closesAt: optional(moment, {
      says: 'When it closes',
      none: 'for never',
      many: 'closes_at',
      page: { section: 'keep', label: 'Close on', hint: 'Leave empty to stay open.', isBeside: true },
    }),
    maxSubmissions: optional(whole(1_000_000_000), {
      says: 'Submissions that it takes in all, without spam',
      none: 'for any number',
      many: 'max_submissions',
      page: {
        section: 'keep',
        label: 'Close after this many submissions',
        hint: 'Spam is not counted. Leave empty for no limit.',
      },
    }),
    maxPerPeriod: optional(whole(100_000), {
      says: 'Submissions that it takes in one period, without spam',
      none: 'for any number',
      many: 'max_per_period',
      page: {
        section: 'keep',
        label: 'Submissions per period',
        hint: 'The form opens again when the next period begins. Leave empty for no limit.',
      },
    }),
    period: setting(choice(PERIODS), 'day', {
      says: 'The period of max_per_period; days begin at midnight in UTC, weeks on Monday',
      many: 'period',
      page: {
        section: 'keep',
        label: 'Period',
        hint: 'Periods begin at midnight (UTC).',
        choices: { day: 'Day', week: 'Week', month: 'Month' },
        isBeside: true,
      },
    }),
    mergesRepeats: setting(flag, true, {
      says: 'Whether equal submissions of one sender within ten seconds stand with the first one, and are told once. Set it to false for forms where people at one computer send the same, such as votes',
      name: 'merge_repeats',
      many: 'merge_repeats',
      page: {
        section: 'keep',
        label: 'Merge double clicks',
        hint: 'Identical submissions from one sender within ten seconds are stored as one. Turn this off where people at one computer send the same, as with votes.',
      },
    }),
  },
});

export type Opening = ValuesOf<typeof INTAKE.settings>;

/** Tells whether a form takes submissions now, and why not. */
export class IntakeGate {
  constructor(readonly opening: Opening) {}

  static of(form: Pick<Form, 'intakeGate'>): IntakeGate {
    return new IntakeGate(INTAKE.of(form));
  }

  /** Returns why a form takes no submissions at a moment, as its visitors read it; null if it takes them. */
  closedFor({ submissionCount }: Pick<Form, 'submissionCount'>, now: Date): FormShut | null {
    const { paused, message, opensAt, closesAt, maxSubmissions } = this.opening;
    if (paused) return new FormPaused(message);
    if (opensAt !== null && opensAt > now) return new FormNotOpenYet(message);
    if (closesAt !== null && closesAt <= now) return new FormClosed(message);
    if (maxSubmissions !== null && submissionCount >= maxSubmissions) return new FormFull(message);
    return null;
  }

  /** Returns when the present period began; null where no period has a limit. */
  periodStart(now: Date): Date | null {
    const { maxPerPeriod, period } = this.opening;
    if (maxPerPeriod === null) return null;
    const [year, month, date] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
    const first = { day: date, week: date - ((now.getUTCDay() + 6) % 7), month: 1 }[period];
    return new Date(Date.UTC(year, month, first));
  }

  /**
   * Returns the most submissions that a form may have in all: by its own number, and by that of a period.
   * @param before how many it had when the present period began; null where no period has a limit
   */
  most(before: number | null): number | null {
    const { maxSubmissions, maxPerPeriod } = this.opening;
    if (before === null || maxPerPeriod === null) return maxSubmissions;
    return Math.min(maxSubmissions ?? Infinity, before + maxPerPeriod);
  }

  /** Returns the error of a submission that is more than `most`. */
  full(most: number | null): FormShut {
    const { maxSubmissions, message } = this.opening;
    return most === maxSubmissions ? new FormFull(message) : new FormFullForNow(message);
  }
}
