import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Principal, Scope } from '../access/principal.js';
import { AuditService } from '../audit/audit.service.js';
import { FormsService } from '../forms/forms.service.js';
import { formChanged, formTarget } from '../forms/model/form-changes.js';
import type { Form } from '../forms/model/form.entity.js';
import { Config } from '../platform/config/config.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { RateLimits } from '../platform/rate-limits/rate-limits.js';
import { Projected, type Projection } from '../projections/projection.js';
import { Watcher } from '../watch/watcher.js';
import { CanariesRepository, type CanaryState } from './canaries.repository.js';
import { CanaryRuns } from './canary-runs.js';
import { FormCanary } from './model/form-canary.entity.js';
import { failureIn, isOfService, type Step, type StepName } from './model/step.js';

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

/** Keeps when the canary of which form runs, and says how it fares. */
@Injectable()
@Projected({ tables: ['form_canaries'] })
export class CanaryService implements OnModuleInit, Projection {
  constructor(
    private readonly canaries: CanariesRepository,
    private readonly runs: CanaryRuns,
    private readonly forms: FormsService,
    private readonly limits: RateLimits,
    private readonly audit: AuditService,
    private readonly unitOfWork: UnitOfWork,
    private readonly watcher: Watcher,
    private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.watcher.onSuspicion((formIds) => this.expedite(formIds));
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
      canary.change(to, this.unitOfWork.now());
      await this.canaries.in(tx).update(canary);
      const details = { settings: 'canary', schedule: canary.schedule };
      await this.audit.recordBy(tx, principal, formChanged(form, details));
      return canary;
    });
  }

  /** Runs a canary now, and keeps what it found. @throws FormNotFound, RateLimited */
  async run(principal: Principal, identifier: string): Promise<FormCanary> {
    const form = await this.forms.get(principal, identifier);
    this.limits.admitMail('canary', form.id);
    await this.audit.recordAloneBy(principal, { action: 'canary.run', target: formTarget(form) });
    return this.runNow(form);
  }

  /**
   * Runs the canary of a form in any account, or those of all forms with submissions, one after the other.
   * @throws FormNotFound
   */
  async *examine(identifier: string | null): AsyncGenerator<ExaminedForm> {
    if (identifier !== null) {
      const { id } = await this.forms.findPublicCached(identifier);
      const form = await this.forms.find(id);
      if (form) yield { form, steps: (await this.runNow(form)).steps };
      return;
    }
    for (let after = 0; ;) {
      const some = await this.canaries.withSubmissions(after, FORMS_ROWS);
      if (some.length === 0) return;
      for (const { id } of some) {
        after = id;
        const form = await this.forms.find(id);
        if (form) yield { form, steps: (await this.runNow(form)).steps };
      }
    }
  }

  /** Has the canaries of these forms run as soon as there is time, but for those that are off. */
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

  /** Returns the failures of those of these forms that fail, by the id of the form; only what a second run has confirmed. */
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

  async forgetForm(formId: number): Promise<void> {
    await this.unitOfWork.run((tx) => this.canaries.in(tx).removeOf(formId));
  }

  /** Tells whether no schedule runs: nobody looks again at what failed before. */
  private get isOff(): boolean {
    return this.config.intake.canary === 'off';
  }

  private async runNow(form: Form): Promise<FormCanary> {
    const { page } = await this.canaryOf(form);
    const steps = await this.runs.run(form, page);
    return this.unitOfWork.run(async (tx) => {
      await this.forms.lockCount(tx, form.id);
      const canary = await this.stored(tx, form);
      canary.take(steps, false, this.unitOfWork.now());
      await this.canaries.in(tx).update(canary);
      return canary;
    });
  }

  private async canaryOf(form: Form): Promise<FormCanary> {
    return (await this.canaries.find(form.id)) ?? FormCanary.create(form, this.unitOfWork.now());
  }

  /** Returns the canary of a form, which is stored from now on. */
  private async stored(tx: EntityManager, form: Form): Promise<FormCanary> {
    const canaries = this.canaries.in(tx);
    const known = await canaries.find(form.id);
    if (known) return known;
    const canary = FormCanary.create(form, this.unitOfWork.now());
    await canaries.add([canary]);
    return canary;
  }
}

function failureOf({ failedSince: since, steps }: FormCanary): CanaryFailure | null {
  const failure = failureIn(steps);
  if (!since || !failure) return null;
  const { step, code, detail } = failure;
  return { since, step, code: code ?? step, detail };
}
