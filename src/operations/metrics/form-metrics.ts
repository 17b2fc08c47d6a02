import { Injectable } from '@nestjs/common';
import { CanaryRuns } from '../../canary/canary-runs.js';
import { CanaryService } from '../../canary/canary.service.js';
import { counter, gauge, gauges, type Metric } from './exposition.js';
import { memoizeFor } from './memoize-for.js';
import { Clock } from '../../platform/kernel/time/clock.js';
import { WATCH_STATES } from '../../watch/model/watch-state.js';
import { WatchService } from '../../watch/watch.service.js';

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

/** Forms that are named at most: those that have been silent the longest. */
const FORMS_MAX = 200;

/** Renders the metrics of how forms fare. */
@Injectable()
export class WatchMetrics {
  private readonly fares = memoizeFor(ASKED_EVERY_MS, () => this.ask().catch(() => null));

  constructor(
    private readonly watches: WatchService,
    private readonly clock: Clock,
  ) {}

  async metrics(): Promise<Metric[]> {
    const fares = await this.fares();
    return [
      gauges(
        'fcs_forms',
        'Forms by how they fare, of all instances.',
        fares
          ? WATCH_STATES.map((state) => ({
              labels: { state },
              value: fares.states.get(state) ?? 0,
            }))
          : [],
      ),
      gauges(
        'fcs_form_silence_seconds',
        'How long a form has been silent beyond what its rhythm makes probable; of the longest ones.',
        fares?.silent ?? [],
      ),
    ];
  }

  private async ask() {
    const now = this.clock.now().getTime();
    const silent = await this.watches.silent(FORMS_MAX);
    return {
      states: await this.watches.countByState(),
      silent: silent.map(({ identifier: form, silentFrom }) => ({
        labels: { form },
        value: Math.max(now - silentFrom.getTime(), 0) / 1_000,
      })),
    };
  }
}
