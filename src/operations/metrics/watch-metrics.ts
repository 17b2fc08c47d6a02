import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/kernel/time/clock.js';
import { WATCH_STATES } from '../../watch/model/watch-state.js';
import { WatchService } from '../../watch/watch.service.js';
import { gauges, type Metric } from './exposition.js';
import { memoizeFor } from './memoize-for.js';

/** Shortest time between two looks at the database, in milliseconds. */
const ASKED_EVERY_MS = 5_000;
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
