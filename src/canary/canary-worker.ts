import { Injectable, Logger } from '@nestjs/common';
import { FormsService } from '../forms/forms.service.js';
import { BackgroundTask, type TaskRun } from '../platform/background/background-task.js';
import { LeasedWork, type Leased } from '../platform/background/leased-work.js';
import { inPortions } from '../platform/background/portions.js';
import { Config } from '../platform/config/config.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { Clock } from '../platform/kernel/time/clock.js';
import { HOUR_MS, MINUTE_MS } from '../platform/kernel/time/durations.js';
import { CanariesRepository } from './canaries.repository.js';
import { CanaryRuns } from './canary-runs.js';
import { FormCanary } from './model/form-canary.entity.js';
import { failureIn } from './model/step.js';
import { ProbeRuns } from './probe/probe-runs.service.js';

/** Most canaries that a process runs in a minute, one after the other: so no host is asked twice at a time. */
const RUNS_MAX = 10;
/** Life of a lease in seconds; it is renewed halfway. */
const LEASE_SECONDS = 30;

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
    private readonly clock: Clock,
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
    await due.each(async (leased) => {
      await this.run(leased);
      if (++count >= RUNS_MAX) enough.abort();
    }, end);
  }

  private async run({ row, token, unwanted }: Leased<FormCanary>): Promise<void> {
    const form = await this.forms.find(row.formId);
    // A form that is being deleted takes its canary with it.
    if (!form || unwanted.aborted) return;
    const steps = await this.runs.run(form, row.page, unwanted).catch((error: unknown) => {
      if (!unwanted.aborted) this.logger.warn('A canary could not run', { error });
      return null;
    });
    if (!steps) return this.putOff(row, token);
    row.take(steps, true, this.clock.now());
    await this.unitOfWork.run((tx) => this.canaries.in(tx).store(row, token));
    const failure = failureIn(steps);
    if (!failure) return;
    const { step, code, detail } = failure;
    this.logger.warn('The canary of a form fails', {
      ...{ form: form.identifier, step, code, detail },
      isConfirmed: row.failedSince !== null,
    });
  }

  /** Leaves a canary for later that failed for a reason of ours, or with the end of the process. */
  private async putOff(row: FormCanary, token: Buffer): Promise<void> {
    await this.unitOfWork.run((tx) => this.canaries.in(tx).release(row, token, LEASE_SECONDS));
  }
}
