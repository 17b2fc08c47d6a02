import { Injectable, Logger } from '@nestjs/common';
import { IntakeGate } from '../forms/model/intake-gate.js';
import { FormsService } from '../forms/forms.service.js';
import { BackgroundTask, type TaskRun } from '../platform/background/background-task.js';
import { LeasedWork, type Leased } from '../platform/background/leased-work.js';
import { inPortions } from '../platform/background/portions.js';
import { Config } from '../platform/config/config.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { HOUR_MS, MINUTE_MS } from '../platform/kernel/time/durations.js';
import { CanariesRepository } from './canaries.repository.js';
import { CanaryRuns } from './canary-runs.js';
import { FormCanary } from './model/form-canary.entity.js';
import { failureIn, isOfService, isThrough, type Step } from './model/step.js';
import { ProbeRuns } from './probe/probe-runs.service.js';

/** Most canaries that a process runs in a minute, one after the other: so no host is asked twice at a time. */
const RUNS_MAX = 10;
/** Life of a lease in seconds; it is renewed halfway. */
const LEASE_SECONDS = 30;
/** Most canaries that run again once a fault of the service is mended, and how long ago they must have run, in milliseconds. */
const AGAIN_MAX = 100;
const AGAIN_AFTER_MS = 10 * MINUTE_MS;

/** Runs canaries by their schedule. Workers on one database claim them with a lease. */
@Injectable()
export class CanaryWorker {
  private readonly logger = new Logger(CanaryWorker.name);

  constructor(
    private readonly canaries: CanariesRepository,
    private readonly runs: CanaryRuns,
    private readonly probes: ProbeRuns,
    private readonly forms: FormsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly config: Config,
  ) {}

  /** Gives a canary to each form that has submissions and none yet. */
  @BackgroundTask('give canaries to forms', HOUR_MS)
  async begin({ now, signal }: TaskRun): Promise<void> {
    if (this.config.intake.canary === 'off') return;
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

  /** Runs what is due, and erases what killed processes have left. */
  @BackgroundTask('run canaries', MINUTE_MS)
  async work({ now, signal }: TaskRun): Promise<void> {
    await this.probes.eraseLeft(now);
    if (this.config.intake.canary === 'off') return;
    const enough = new AbortController();
    const end = AbortSignal.any([enough.signal, ...(signal ? [signal] : [])]);
    const due = new LeasedWork(this.unitOfWork, this.canaries.leasesAt(now), LEASE_SECONDS);
    let count = 0;
    let through = 0;
    await due.each(async (leased) => {
      if (isThrough(await this.run(leased))) through++;
      if (++count >= RUNS_MAX) enough.abort();
    }, end);
    if (through > 0) await this.lookAgain(now);
  }

  private async run({ row, token, unwanted }: Leased<FormCanary>): Promise<Step[]> {
    const form = await this.forms.find(row.formId);
    if (unwanted.aborted) return [];
    if (!form) {
      await this.unitOfWork.run((tx) => this.canaries.in(tx).removeOf(row.formId));
      return [];
    }
    const now = this.unitOfWork.now();
    const isShut = IntakeGate.decode(form.intakeGate).closedFor(form, now) !== null;
    if (isShut || row.schedule === 'off') {
      await this.keep(row, token, (canary) => {
        canary.leaveOut(now);
      });
      return [];
    }
    const steps = await this.runs.run(form, row.page, unwanted).catch((error: unknown) => {
      // The end of the process is no reason to wait.
      if (unwanted.aborted) return [];
      this.logger.warn('A canary could not run', { error });
      return null;
    });
    if (!steps) {
      await this.keep(row, token, (canary) => {
        canary.putOff(this.unitOfWork.now());
      });
      return [];
    }
    if (steps.length === 0) {
      await this.release(row, token);
      return [];
    }
    const canary = await this.keep(row, token, (kept) => {
      kept.take(steps, true, this.unitOfWork.now());
    });
    const failure = failureIn(steps);
    if (!canary || !failure) return steps;
    const { step, code, detail } = failure;
    this.logger.warn('The canary of a form fails', {
      ...{ form: form.identifier, step, code, detail },
      isConfirmed: canary.failedSince !== null,
    });
    return steps;
  }

  /**
   * Stores what has become of a canary, and gives it back.
   * @returns null where its settings were changed meanwhile, which say when it runs next
   */
  private keep(
    { formId, schedule, page }: FormCanary,
    token: Buffer,
    change: (canary: FormCanary) => void,
  ): Promise<FormCanary | null> {
    return this.unitOfWork.run(async (tx) => {
      await this.forms.lockCount(tx, formId);
      const canaries = this.canaries.in(tx);
      const canary = await canaries.find(formId);
      if (canary?.schedule !== schedule || canary.page !== page) return null;
      change(canary);
      await canaries.store(canary, token);
      return canary;
    });
  }

  /** Has those run again soon that failed at what all share, once another has got through that. */
  private async lookAgain(now: Date): Promise<void> {
    const before = now.getTime() - AGAIN_AFTER_MS;
    const failing = (await this.canaries.failing(AGAIN_MAX)).filter(({ steps, ranAt }) => {
      const failure = failureIn(steps);
      return failure && isOfService(failure.step) && ranAt !== null && ranAt.getTime() < before;
    });
    const ids = failing.map(({ formId }) => formId);
    if (ids.length > 0) await this.unitOfWork.run((tx) => this.canaries.in(tx).expedite(ids, now));
  }

  private async release(row: FormCanary, token: Buffer): Promise<void> {
    await this.unitOfWork.run((tx) => this.canaries.in(tx).release(row, token, LEASE_SECONDS));
  }
}
