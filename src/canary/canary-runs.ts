import { Injectable } from '@nestjs/common';
import type { Form } from '../forms/model/form.entity.js';
import { countersBy } from '../platform/kernel/counters.js';
import { failureIn, STEPS, type Step } from './model/step.js';
import { PageChecks } from './page/page-checks.service.js';
import { ProbeRuns } from './probe/probe-runs.service.js';

/** Runs canaries, and counts how they end. */
@Injectable()
export class CanaryRuns {
  /** Counts runs: `ok`, or `failed` with the first step that did. */
  readonly outcomes = countersBy('outcome', 'step');

  constructor(
    private readonly pages: PageChecks,
    private readonly probes: ProbeRuns,
  ) {
    this.outcomes.of('ok', '');
    for (const step of STEPS) this.outcomes.of('failed', step);
  }

  /**
   * Checks the page of a form, and sends a probe through its address.
   * @param page its address; null for that which most of the newest submissions came from
   * @param signal ends it early, with an error
   */
  async run(form: Form, page: string | null, signal?: AbortSignal): Promise<Step[]> {
    const [ofPage, ofProbe] = await Promise.all([
      this.pages.check(form, page, signal),
      this.probes.run(form, signal),
    ]);
    const steps = [...ofPage, ...ofProbe];
    const failure = failureIn(steps);
    this.outcomes.of(failure ? 'failed' : 'ok', failure?.step ?? '').add();
    return steps;
  }
}
