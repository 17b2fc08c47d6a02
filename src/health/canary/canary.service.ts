import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Suspected } from '../watch/watcher.js';
import { FormQueries } from '../../forms/form-queries.service.js';
import type { Form } from '../../forms/model/form.entity.js';
import {
  countersBy,
  askedSeldom,
  counter,
  gauge,
  Measured,
  BackgroundTask,
  type TaskRun,
  inPortions,
  JobOf,
  type Turn,
  Config,
  HOUR_MS,
  MINUTE_MS,
  RateLimits,
} from '../../platform/index.js';
import { failureIn, STEPS, type Step, isOfService, isThrough, type StepName } from './step.js';
import { PageChecks } from './page/page-checks.service.js';
import { ProbeRuns } from './probe-runs.service.js';
import { IntakeGate } from '../../forms/model/intake-gate.js';
import { UnitOfWork } from '../../platform/database/index.js';
import { CANARY, CanariesRepository, type CanaryState } from './canaries.repository.js';
import { FormCanary } from './form-canary.entity.js';
import type { Principal, Scope } from '../../accounts/access/index.js';
import { AuditService } from '../../accounts/audit/audit.service.js';
import { formChanged, formTarget } from '../../forms/model/form-changes.js';
import { Projected, type Projection } from '../../forms/projections.js';

/** Most canaries that a process runs in a minute, one after the other: so no host is asked twice at a time. */
const RUNS_MAX = 10;
/** Life of a lease in seconds; it is renewed halfway. */
const LEASE_SECONDS = 30;
/** Most canaries that run again once a fault of the service is mended, and how long ago they must have run, in milliseconds. */
const AGAIN_MAX = 100;
const AGAIN_AFTER_MS = 10 * MINUTE_MS;

/** Keeps when the canary of which form runs, runs it, and says how it fares. */
@Injectable()
@Projected({ tables: ['form_canaries'] })
export class CanaryService implements Projection {
  private readonly logger = new Logger(CanaryService.name);
  /** Counts runs: `ok`, or `failed` with the first step that did. */
  private readonly outcomes = countersBy('outcome', 'step');
  private readonly measured = askedSeldom(() => this.state());

  constructor(
    private readonly canaries: CanariesRepository,
    private readonly forms: FormQueries,
    private readonly limits: RateLimits,
    private readonly audit: AuditService,
    private readonly unitOfWork: UnitOfWork,
    private readonly config: Config,
    private readonly pages: PageChecks,
    private readonly probes: ProbeRuns,
  ) {
    this.outcomes.of('ok', '');
    for (const step of STEPS) this.outcomes.of('failed', step);
  }

  @Measured()
  async metrics() {
    const state = await this.measured();
    return [
      counter(
        'fcs_canary_runs_total',
        'Runs of canaries by this process: ok, or failed with the first step that did.',
        this.outcomes,
      ),
      gauge(
        'fcs_canary_failing',
        'Forms whose canary fails, as a second run has confirmed, of all instances.',
        state?.failing ?? null,
      ),
      gauge(
        'fcs_canary_last_run_timestamp_seconds',
        'When the last run of a canary ended, of all instances.',
        state?.lastRunAt ? state.lastRunAt.getTime() / 1_000 : null,
      ),
    ];
  }

  /** Returns the canary of a form; one with the defaults where it has none yet. @throws FormNotFound */
  async show(scope: Scope, identifier: string): Promise<FormCanary> {
    return this.canaryOf(await this.forms.get(scope, identifier));
  }

  /** Changes when a canary runs, and the page that it looks at. @throws FormNotFound */
  async change(
    principal: Principal,
    identifier: string,
    to: Partial<Pick<FormCanary, 'schedule' | 'page'>>,
  ): Promise<FormCanary> {
    const form = await this.forms.get(principal, identifier);
    return this.unitOfWork.run(async (tx) => {
      await this.forms.lockCount(tx, form.id);
      const canary = await this.stored(tx, form);
      if (!canary.change(to, this.unitOfWork.now())) return canary;
      await this.canaries.in(tx).update(canary);
      await this.canaries.in(tx).schedule(canary);
      const details = { settings: 'canary', schedule: canary.schedule };
      await this.audit.recordBy(tx, principal, formChanged(form, details));
      return canary;
    });
  }

  /** Runs a canary now, and keeps what it found. @throws FormNotFound, RateLimited */
  async run(principal: Principal, identifier: string): Promise<FormCanary> {
    const form = await this.forms.get(principal, identifier);
    this.limits.admit('canary', form.id);
    await this.audit.recordAloneBy(principal, { action: 'canary.run', target: formTarget(form) });
    return this.runNow(form);
  }

  /**
   * Runs the canary of a form in any account, or of each form with submissions, one after the other.
   * @throws FormNotFound
   */
  async *examine(identifier: string | null): AsyncGenerator<ExaminedForm> {
    for await (const id of this.idsFor(identifier)) {
      const form = await this.forms.find(id);
      if (form) yield { form, steps: (await this.runNow(form)).steps };
    }
  }

  private async *idsFor(identifier: string | null): AsyncGenerator<number> {
    if (identifier !== null) {
      yield (await this.forms.findPublicCached(identifier)).id;
      return;
    }
    for (let after = 0; ;) {
      const some = await this.canaries.withSubmissions(after, FORMS_ROWS);
      yield* some.map(({ id }) => id);
      const last = some.at(-1);
      if (!last) return;
      after = last.id;
    }
  }

  /** Has the canaries of these forms run as soon as there is time, but for those that are off. */
  @Suspected()
  async expedite(formIds: readonly number[]): Promise<void> {
    if (formIds.length === 0) return;
    const now = this.unitOfWork.now();
    const known = await this.canaries.known(formIds);
    const missing = formIds.filter((id) => !known.has(id));
    const forms = await Promise.all(missing.map((id) => this.forms.find(id)));
    await this.unitOfWork.run(async (tx) => {
      const canaries = this.canaries.in(tx);
      await canaries.add(forms.flatMap((form) => (form ? FormCanary.create(form, now) : [])));
      await canaries.expedite(formIds, now);
    });
  }

  /** Returns the failures of these forms, by the id of the form; only what a second run has confirmed. */
  async failuresOf(formIds: readonly number[]): Promise<Map<number, CanaryFailure>> {
    if (formIds.length === 0 || this.isOff) return new Map();
    const failing = await this.canaries.failingAmong(formIds);
    return new Map(
      failing.flatMap((canary) => {
        const failure = failureOf(canary);
        return failure ? [[canary.formId, failure] as const] : [];
      }),
    );
  }

  /** Returns a failure on the way that the submissions of all forms take; null for none. */
  async failureOfService(): Promise<CanaryFailure | null> {
    if (this.isOff) return null;
    const failures = (await this.canaries.failing(FORMS_ROWS)).map(failureOf);
    return failures.find((failure) => failure && isOfService(failure.step)) ?? null;
  }

  /** Returns how the canaries of all forms fare. */
  async state(): Promise<CanaryState> {
    const state = await this.canaries.state();
    return this.isOff ? { ...state, failing: 0 } : state;
  }

  async forgetForm(formId: number) {
    await this.unitOfWork.run((tx) => this.canaries.in(tx).removeOf(formId));
  }

  /** Tells whether no schedule runs: nobody looks again at what failed before. */
  private get isOff() {
    return this.config.intake.canary === 'off';
  }

  private async runNow(form: Form) {
    const { page } = await this.canaryOf(form);
    const steps = await this.runOnce(form, page);
    return this.unitOfWork.run(async (tx) => {
      await this.forms.lockCount(tx, form.id);
      const canary = await this.stored(tx, form);
      canary.take(steps, false, this.unitOfWork.now());
      await this.canaries.in(tx).update(canary);
      await this.canaries.in(tx).schedule(canary);
      return canary;
    });
  }

  private async canaryOf(form: Form) {
    return (await this.canaries.find(form.id)) ?? FormCanary.create(form, this.unitOfWork.now());
  }

  /** Returns the canary of a form, which is stored from now on. */
  private async stored(tx: EntityManager, form: Form) {
    const canaries = this.canaries.in(tx);
    const known = await canaries.find(form.id);
    if (known) return known;
    const canary = FormCanary.create(form, this.unitOfWork.now());
    await canaries.add([canary]);
    return canary;
  }

  /**
   * Checks the page of a form, and sends a probe through its address.
   * @param page its address; null for that which most of the newest submissions came from
   * @param signal ends it early, with an error
   */
  async runOnce(form: Form, page: string | null, signal?: AbortSignal): Promise<Step[]> {
    const [ofPage, ofProbe] = await Promise.all([this.pages.check(form, page, signal), this.probes.run(form, signal)]);
    const steps = [...ofPage, ...ofProbe];
    const failure = failureIn(steps);
    this.outcomes.of(failure ? 'failed' : 'ok', failure?.step ?? '').add();
    return steps;
  }

  /** Gives a canary to each form that has submissions and none yet. */
  @BackgroundTask('give canaries to forms', HOUR_MS)
  async begin({ now, signal }: TaskRun): Promise<void> {
    if (this.isOff) return;
    let after = 0;
    await inPortions(async (rows) => {
      const forms = await this.canaries.withSubmissions(after, rows);
      const known = await this.canaries.known(forms.map(({ id }) => id));
      const missing = forms.filter(({ id }) => !known.has(id));
      const added = missing.map((form) => FormCanary.create(form, now));
      if (added.length > 0) await this.unitOfWork.run((tx) => this.canaries.in(tx).add(added));
      after = forms.at(-1)?.id ?? after;
      return forms.length;
    }, signal);
  }

  /** Runs a canary by its schedule; again in an hour while none are to run, or one could not for a reason of ours. */
  @JobOf({
    ...{ kind: CANARY, turnsMax: RUNS_MAX, leaseSeconds: LEASE_SECONDS, againSeconds: 3_600 },
    next: (_, now) => new Date(now.getTime() + HOUR_MS),
  })
  async work(turn: Turn): Promise<void> {
    if (this.isOff) return;
    const form = await this.forms.find(Number(turn.job.subject));
    const canary = form && (await this.canaries.find(form.id));
    if (!canary) {
      turn.next = null;
      return;
    }
    if (IntakeGate.of(form).closedFor(form, this.unitOfWork.now()) !== null) {
      await this.keep(turn, form, (kept) => {
        kept.leaveOut(this.unitOfWork.now());
      });
      return;
    }
    const steps = await this.runOnce(form, canary.page, turn.unwanted);
    const kept = await this.keep(turn, form, (each) => {
      each.take(steps, true, this.unitOfWork.now());
    });
    const failure = failureIn(steps);
    if (kept && failure) {
      const { step, code, detail } = failure;
      const isConfirmed = kept.failedSince !== null;
      const about = { form: form.identifier, step, code, detail, isConfirmed };
      this.logger.warn('The canary of a form fails', about);
    }
    if (isThrough(steps)) await this.lookAgain(turn.now);
  }

  /** Stores what has become of a canary. @returns null where its settings were changed meanwhile, which say when it runs next */
  private keep(turn: Turn, { id }: Form, change: (canary: FormCanary) => void) {
    return this.unitOfWork.run(async (tx) => {
      await this.forms.lockCount(tx, id);
      const canaries = this.canaries.in(tx);
      const canary = (await turn.keep(tx)) ? await canaries.find(id) : null;
      if (!canary) return null;
      change(canary);
      await canaries.update(canary);
      turn.next = canary.nextRunAt;
      return canary;
    });
  }

  /** Has those run again soon that failed at what all share, once another has got through that. */
  private async lookAgain(now: Date) {
    const before = now.getTime() - AGAIN_AFTER_MS;
    const failing = (await this.canaries.failing(AGAIN_MAX)).filter(({ steps, ranAt }) => {
      const failure = failureIn(steps);
      return failure && isOfService(failure.step) && ranAt !== null && ranAt.getTime() < before;
    });
    const ids = failing.map(({ formId }) => formId);
    if (ids.length > 0) await this.unitOfWork.run((tx) => this.canaries.in(tx).expedite(ids, now));
  }
}

/** Forms that are read at a time to go through all. */
const FORMS_ROWS = 100;

/** A failure that a second run has confirmed. */
export interface CanaryFailure {
  since: Date;
  step: StepName;
  code: string;
  detail: string;
}

/** A canary that an operator ran. */
export interface ExaminedForm {
  form: Form;
  steps: Step[];
}

function failureOf({ failedSince: since, steps }: FormCanary): CanaryFailure | null {
  const failure = failureIn(steps);
  if (!since || !failure) return null;
  const { step, code, detail } = failure;
  return { since, step, code: code ?? step, detail };
}
