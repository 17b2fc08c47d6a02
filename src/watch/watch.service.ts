import { Injectable } from '@nestjs/common';
import type { Principal, Scope } from '../access/principal.js';
import { AuditService } from '../audit/audit.service.js';
import { formChanged } from '../forms/model/form-changes.js';
import type { Form } from '../forms/model/form.entity.js';
import { FormsService } from '../forms/forms.service.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { DAY_MS } from '../platform/kernel/time/durations.js';
import { Projected, type Projection } from '../projections/projection.js';
import { StatisticsService } from '../statistics/counts/statistics.service.js';
import { FormWatchesRepository, type SilentForm } from './form-watches.repository.js';
import { FormWatch } from './model/form-watch.entity.js';
import type { WatchState } from './model/watch-state.js';
import type { WatchLevel } from './rhythm/levels.js';

/** Days that the picture of a rhythm shows. */
const DAYS_SHOWN = 28;

/** A day of UTC: what a form received, and what would have been usual. */
export interface WatchedDay {
  /** Such as `2030-01-31`. */
  day: string;
  received: number;
  /** Null while there is too little history. */
  expected: Expected | null;
}

/** How a form is watched and fares. */
export interface Watched {
  form: Form;
  watch: FormWatch;
  /** Oldest first, today last. */
  days: WatchedDay[];
}

/** Keeps how forms are watched, and tells how they fare. */
@Injectable()
@Projected({ tables: ['form_watches'] })
export class WatchService implements Projection {
  constructor(
    private readonly watches: FormWatchesRepository,
    private readonly forms: FormsService,
    private readonly statistics: StatisticsService,
    private readonly audit: AuditService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** @throws FormNotFound */
  async show(scope: Scope, identifier: string): Promise<Watched> {
    const form = await this.forms.get(scope, identifier);
    const watch = (await this.watches.find(form.id)) ?? this.unseen(form);
    return { form, watch, days: await this.daysOf(scope, form) };
  }

  /**
   * Sets how soon the silence of a form is told, and has it looked at soon.
   * @throws FormNotFound
   */
  async setLevel(principal: Principal, identifier: string, level: WatchLevel): Promise<void> {
    const form = await this.forms.get(principal, identifier);
    await this.unitOfWork.run(async (tx) => {
      const watches = this.watches.in(tx);
      await watches.add([this.unseen(form)]);
      await watches.setLevel(form.id, level, this.unitOfWork.now());
      await this.audit.recordBy(tx, principal, formChanged(form, { settings: 'watch.level' }));
    });
  }

  /** Returns how these forms are watched, by the form; without those that nobody has looked at yet. */
  async among(formIds: readonly number[]): Promise<Map<number, FormWatch>> {
    const found = await this.watches.among(formIds);
    return new Map(found.map((watch) => [watch.formId, watch]));
  }

  /** Returns how each of these forms is watched, by its id; one that nobody has looked at yet by the defaults. */
  async ofEach(forms: readonly Form[]): Promise<Map<number, FormWatch>> {
    const known = await this.among(forms.map(({ id }) => id));
    return new Map(forms.map((form) => [form.id, known.get(form.id) ?? this.unseen(form)]));
  }

  /** Counts the forms of all accounts by how they fare. */
  countByState(): Promise<Map<WatchState, number>> {
    return this.watches.countByState();
  }

  /** Returns the forms, of all accounts, that have been silent the longest. */
  silent(limit: number): Promise<SilentForm[]> {
    return this.watches.silent(limit);
  }

  async forgetForm(formId: number): Promise<void> {
    await this.unitOfWork.run((tx) => this.watches.in(tx).remove(formId));
  }

  private unseen({ id: formId, accountId }: Form): FormWatch {
    return FormWatch.create({ formId, accountId }, this.unitOfWork.now());
  }

  private async daysOf(scope: Scope, form: Form): Promise<WatchedDay[]> {
    const now = this.unitOfWork.now();
    const all = DAYS_BEFORE + DAYS_SHOWN;
    const received = (await this.statistics.lastDays(scope, [form], all, now)).get(form.id) ?? [];
    const made = Math.floor((now.getTime() - form.createdAt.getTime()) / DAY_MS);
    // What was imported is older than the form.
    const first = received.findIndex((amount) => amount > 0);
    const age = first < 0 ? made : Math.max(made, all - 1 - first);
    return received.slice(-DAYS_SHOWN).map((amount, at) => {
      const ago = DAYS_SHOWN - 1 - at;
      const day = new Date(now.getTime() - ago * DAY_MS).toISOString().slice(0, 10);
      return { day, received: amount, expected: expectedOn(received, all - 1 - ago, age - ago) };
    });
  }
}

/** Weeks whose same weekday tells what a day usually brings, and how many there must be. */
const WEEKS = 8;
const WEEKS_MIN = 3;
/** Days of history that the first of the days to tell needs. */
const DAYS_BEFORE = 7 * WEEKS;

/** Amounts between which most days are. */
interface Expected {
  low: number;
  high: number;
}

/**
 * Returns what a day would usually bring: between the second lowest and the second highest of the same weekday in the
 * weeks before it, widened by what chance alone does to such amounts.
 * @param received amounts of each day
 * @param at the day among them
 * @param age days of the form by then
 * @returns null without some weeks of history
 */
function expectedOn(received: readonly number[], at: number, age: number): Expected | null {
  const weeks = Math.min(WEEKS, Math.floor(age / 7));
  if (weeks < WEEKS_MIN) return null;
  const same = Array.from({ length: weeks }, (_, week) => received[at - 7 * (week + 1)] ?? 0);
  same.sort((one, other) => one - other);
  const low = same[1] ?? 0;
  const high = same.at(-2) ?? 0;
  return {
    low: Math.max(Math.floor(low - Math.sqrt(low)), 0),
    high: Math.ceil(high + Math.sqrt(high)),
  };
}
