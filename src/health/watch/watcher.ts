import {
  askedSeldom,
  gauges,
  Measured,
  hook,
  Hooks,
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  BackgroundTask,
  type TaskRun,
  inPortions,
} from '../../platform/index.js';
import { Injectable, Logger } from '@nestjs/common';
import { setImmediate } from 'node:timers/promises';
import { FormQueries } from '../../forms/form-queries.service.js';
import type { Principal, Scope } from '../../accounts/access/index.js';
import { AuditService } from '../../accounts/audit/audit.service.js';
import { formChanged } from '../../forms/model/form-changes.js';
import type { Form } from '../../forms/model/form.entity.js';
import { UnitOfWork } from '../../platform/database/index.js';
import { StatisticsService } from '../../statistics/statistics.service.js';
import { FormWatchesRepository, type WatchedForm } from './form-watches.repository.js';
import { FormWatch } from './form-watch.entity.js';
import {
  type WatchLevel,
  type Limit,
  RhythmLearner,
  silentFrom,
  type Rhythm,
  DAY_HOURS,
  hourOf,
  momentOf,
  YEAR_HOURS,
} from './rhythm.js';
import { IntakeGate } from '../../forms/model/intake-gate.js';
import { signsOf, USUAL_DAYS, type Recent, type Sent, type WatchState, WATCH_STATES, CONNECT_MS } from './signs.js';
import { RefusalsService, type FormRefusals } from './refusals.service.js';

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
export class WatchService {
  private readonly logger = new Logger(WatchService.name);
  private readonly fares = askedSeldom(() => this.askFares());

  constructor(
    private readonly watches: FormWatchesRepository,
    private readonly forms: FormQueries,
    private readonly statistics: StatisticsService,
    private readonly audit: AuditService,
    private readonly unitOfWork: UnitOfWork,
    private readonly refusals: RefusalsService,
    private readonly hooks: Hooks,
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
  async setLevel(principal: Principal, identifier: string, level: WatchLevel) {
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

  /** Measures how the forms of all accounts fare. */
  @Measured()
  async metrics() {
    const fares = await this.fares();
    return [
      gauges(
        'fcs_forms',
        'Forms by state of monitoring, of all instances.',
        fares ? WATCH_STATES.map((state) => ({ labels: { state }, value: fares.states.get(state) ?? 0 })) : [],
      ),
      gauges(
        'fcs_form_silence_seconds',
        'How long a form has been silent beyond what its rhythm makes probable; of the longest ones.',
        fares?.silent ?? [],
      ),
    ];
  }

  private async askFares() {
    const now = this.unitOfWork.now().getTime();
    const silent = await this.watches.silent(FORMS_MEASURED);
    return {
      states: await this.countByState(),
      silent: silent.map(({ identifier: form, silentFrom }) => ({
        labels: { form },
        value: Math.max(now - silentFrom.getTime(), 0) / 1_000,
      })),
    };
  }

  private unseen({ id: formId, accountId }: Form): FormWatch {
    return FormWatch.create({ formId, accountId }, this.unitOfWork.now());
  }

  private async daysOf(scope: Scope, form: Form): Promise<WatchedDay[]> {
    const now = this.unitOfWork.now();
    const all = DAYS_BEFORE + DAYS_SHOWN;
    const received = (await this.statistics.lastDays([form], all, now)).get(form.id) ?? [];
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

  /** Looks at the forms that are due. */
  @BackgroundTask('watch forms', 5 * MINUTE_MS)
  async look({ now, signal }: TaskRun): Promise<void> {
    await inPortions((rows) => this.addSome(now, rows), signal);
    await inPortions((rows) => this.lookAtSome(now, Math.min(rows, FORMS_AT_ONCE)), signal);
  }

  private async addSome(now: Date, limit: number) {
    const forms = await this.watches.unwatched(limit);
    if (forms.length === 0) return 0;
    const added = forms.map((form) => FormWatch.create(form, now));
    await this.unitOfWork.run((tx) => this.watches.in(tx).add(added));
    return forms.length;
  }

  private async lookAtSome(now: Date, limit: number) {
    const due = await this.watches.due(now, limit);
    if (due.length === 0) return 0;
    const recentOf = await this.recentOf(due, now);
    const newest = await this.statistics.newestHours(due.map(({ form }) => form.id));
    const suspects: number[] = [];
    for (const { watch, form } of due) {
      const before = watch.nextAt;
      try {
        watch.lastHour = newest.get(form.id) ?? null;
        const suspected = await this.lookAt(watch, form, recentOf(watch), now);
        if (suspected && suspected >= before && suspected <= now) suspects.push(form.id);
      } catch (error) {
        // One form must not keep the others from being looked at; its rhythm is learnt anew.
        this.logger.error('A form could not be looked at', { formId: form.id, error });
        watch.nextAt = new Date(now.getTime() + LOOK_EVERY_MS);
        Object.assign(watch, { rhythmText: null, signsText: null, learntAt: null });
      }
      await setImmediate();
    }
    await this.unitOfWork.run(async (tx) => {
      for (const { watch } of due) await this.watches.in(tx).store(watch);
    });
    if (suspects.length > 0) await this.hooks.run(Suspected, suspects);
    return due.length;
  }

  /** Tells how a form fares, by its rhythm and by what it was sent. @returns since when its silence is suspicious */
  private async lookAt(watch: FormWatch, form: Form, recentOf: () => Recent, now: Date) {
    const { level, lastHour: last } = watch;
    const wasOff = watch.state === 'off';
    const isOpen = IntakeGate.of(form).closedFor(form, now) === null;
    Object.assign(watch, { silentFrom: null, signsText: null });
    if (level === 'off' || !isOpen) {
      watch.state = 'off';
      watch.nextAt = new Date(now.getTime() + LOOK_EVERY_MS);
      return null;
    }
    const recent = recentOf();
    const signs = signsOf(recent, level, hourOf(now) - DAY_HOURS + 1);
    if (signs.length > 0) watch.signsText = JSON.stringify(signs);
    if (wasOff) watch.watchedFrom = now;
    if (last !== null) await this.learn(watch, last, now);
    const { rhythm } = watch;
    const suspected = rhythm && limitAt(rhythm, watch, form, 'suspicion');
    watch.silentFrom = rhythm && limitAt(rhythm, watch, form, level);
    watch.state = stateOf(watch, form, recent, now);
    const every = watch.state === 'silent' ? SILENT_LOOK_MS : LOOK_EVERY_MS;
    const next = [new Date(now.getTime() + every), watch.silentFrom, suspected];
    watch.nextAt = earliestAfter(now, next);
    return suspected;
  }

  private async learn(watch: FormWatch, last: number, now: Date) {
    const { formId, learntAt, rhythm } = watch;
    const isKnown = rhythm !== null && last <= rhythm.learntTo;
    const isFresh = learntAt !== null && now.getTime() - learntAt.getTime() < LEARN_EVERY_MS;
    if (isKnown || isFresh) return;
    const from = hourOf(now) - 2 * YEAR_HOURS;
    const hours = await this.statistics.activeHours(formId, from, HOURS_LEARNT_MAX);
    const learner = new RhythmLearner(hours[0] ?? last);
    for (const [at, hour] of hours.entries()) {
      learner.receive(hour);
      // Visitors have their turn in between.
      if (at % HOURS_IN_TURN === 0) await setImmediate();
    }
    const learnt = learner.learn();
    watch.rhythmText = learnt && JSON.stringify(learnt);
    watch.learntAt = now;
  }

  /** Reads what these forms were sent lately, and before. */
  private async recentOf(due: readonly WatchedForm[], now: Date) {
    const forms = due.map(({ form }) => form.id);
    const hour = hourOf(now);
    const since = hour - DAY_HOURS + 1;
    const day = since - (since % DAY_HOURS);
    const from = day - USUAL_DAYS * DAY_HOURS;
    const lately = await this.statistics.receivedBy(forms, { length: 1, from: since, to: hour + 1 });
    const before = await this.statistics.receivedBy(forms, { length: DAY_HOURS, from, to: day });
    const refused = await this.refusals.lately(forms, day - REFUSALS_DAYS * DAY_HOURS);
    return ({ formId, signs }: FormWatch) => {
      const all = refused.get(formId) ?? [];
      const sent = (sums: Map<number, Omit<Sent, 'refused'>>, refusals: FormRefusals, days = 1): Sent => ({
        ...(sums.get(formId) ?? NOTHING),
        refused: refusals.reduce((sum, { amount }) => sum + amount, 0) * days,
      });
      const refusals = all.filter((each) => each.hour >= since);
      const earlier = all.filter((each) => each.hour < day);
      return () => ({
        now: sent(lately, refusals),
        before: sent(before, earlier, USUAL_DAYS / REFUSALS_DAYS),
        ...{ refusals, standing: signs },
      });
    };
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
  return { low: Math.max(Math.floor(low - Math.sqrt(low)), 0), high: Math.ceil(high + Math.sqrt(high)) };
}

/** Forms whose silence is measured at most: those that have been silent the longest. */
const FORMS_MEASURED = 200;
/** How often a form is looked at, and one that is silent, in milliseconds. */
const LOOK_EVERY_MS = HOUR_MS;
const SILENT_LOOK_MS = 10 * MINUTE_MS;
/** How often a rhythm is learnt anew, in milliseconds; hours with submissions that it is learnt from. */
const LEARN_EVERY_MS = DAY_MS;
const HOURS_LEARNT_MAX = 2_000;
/** Hours that are learnt from in one turn of the event loop. */
const HOURS_IN_TURN = 200;
/** Forms that are looked at with the same few queries. */
const FORMS_AT_ONCE = 50;
/** Days before the last one whose refusals stand for all that are usual. */
const REFUSALS_DAYS = 7;
const NOTHING: Sent = { submissions: 0, spam: 0, refused: 0 };

/** Runs with the forms whose silence begins to look suspicious. */
export const Suspected = hook<(formIds: number[]) => Promise<void>>();

/** Returns when the silence of a form exceeds a limit; null where it never does, or nothing came yet. */
function limitAt(rhythm: Rhythm, { lastHour, watchedFrom }: FormWatch, { createdAt }: Form, limit: Limit) {
  if (lastHour === null) return null;
  // What was imported may have ended long before the form was made.
  const from = Math.max(lastHour, hourOf(watchedFrom ?? createdAt));
  const hour = silentFrom(rhythm, from, limit);
  return hour === null ? null : momentOf(hour);
}

function stateOf({ lastHour, silentFrom, watchedFrom }: FormWatch, form: Form, recent: Recent, now: Date): WatchState {
  if (lastHour === null) {
    // A page sends here, if all that came is spam.
    if (recent.now.spam + recent.before.spam > 0) return 'learning';
    const waits = now.getTime() - Math.max(form.createdAt.getTime(), watchedFrom?.getTime() ?? 0);
    return waits >= CONNECT_MS && form.submissionCount === 0 ? 'never_connected' : 'learning';
  }
  if (silentFrom === null) return 'learning';
  return silentFrom <= now ? 'silent' : 'alive';
}

function earliestAfter(now: Date, moments: readonly (Date | null)[]) {
  const ahead = moments.flatMap((at) => (at && at > now ? [at.getTime()] : []));
  return new Date(Math.min(...ahead));
}
