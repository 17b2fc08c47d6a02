import { Injectable } from '@nestjs/common';
import { CanaryRuns } from '../../canary/canary-runs.js';
import { CanaryService } from '../../canary/canary.service.js';
import { counter, gauge, type Metric } from './exposition.js';
import { memoizeFor } from './memoize-for.js';

/** Shortest time between two looks at the database, in milliseconds. */
const ASKED_EVERY_MS = 5_000;

/** Renders the metrics of canaries. */
@Injectable()
export class CanaryMetrics {
  private readonly state = memoizeFor(ASKED_EVERY_MS, () =>
    this.canaries.state().catch(() => null),
  );

  constructor(
    private readonly runs: CanaryRuns,
    private readonly canaries: CanaryService,
  ) {}

  async metrics(): Promise<Metric[]> {
    const state = await this.state();
    return [
      counter(
        'fcs_canary_runs_total',
        'Runs of canaries by this process: ok, or failed with the first step that did.',
        this.runs.outcomes,
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
}
