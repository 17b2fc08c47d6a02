import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Config } from '../config/config.js';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { FileSweeper } from '../files/file-sweeper.js';
import { Idempotency } from '../intake/idempotency.js';
import { Limits } from '../limits/limits.js';
import { SubmissionPurger } from '../submissions/submission-purger.js';
import { ValueIndexer } from '../submissions/value-indexer.js';

const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;
const DAY_MS = 24 * HOUR_MS;

/** Work that nobody waits for, and how often it is looked for. */
interface Chore {
  name: string;
  everyMs: number;
  run(now: Date): Promise<unknown>;
}

/**
 * Does the work that nobody waits for. Every instance may do all of it at once: each chore is a
 * series of small transactions that find nothing left to do when another was faster.
 */
@Injectable()
export class Upkeep implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(Upkeep.name);
  private readonly chores: Chore[];
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly running = new Map<string, Promise<void>>();
  private stopped = false;

  constructor(
    values: ValueIndexer,
    purger: SubmissionPurger,
    files: FileSweeper,
    keys: Idempotency,
    deliveries: DeliveriesService,
    limits: Limits,
    private readonly config: Config,
  ) {
    this.chores = [
      { name: 'index values', everyMs: SECOND_MS, run: () => this.indexAll(values) },
      {
        name: 'purge deleted forms',
        everyMs: 5 * SECOND_MS,
        run: () => purger.purgeDeletedForms(),
      },
      { name: 'apply retention', everyMs: HOUR_MS, run: (now) => purger.applyRetention(now) },
      { name: 'sweep files', everyMs: HOUR_MS, run: (now) => files.sweep(now) },
      {
        name: 'forget rate counts',
        everyMs: HOUR_MS,
        run: (now) => limits.forgetOld(now),
      },
      { name: 'forget idempotency keys', everyMs: HOUR_MS, run: (now) => keys.forgetOld(now) },
      {
        name: 'prune the delivery log',
        everyMs: HOUR_MS,
        run: (now) => this.prune(deliveries, now),
      },
    ];
  }

  onApplicationBootstrap(): void {
    if (this.config.workers === 'off') return;
    for (const chore of this.chores) {
      const timer = setInterval(() => void this.start(chore, new Date()), chore.everyMs);
      this.timers.push(timer.unref());
    }
  }

  /** Does everything there is to do, as of `now`. */
  async runAll(now: Date): Promise<void> {
    for (const chore of this.chores) {
      await this.running.get(chore.name);
      await chore.run(now);
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    for (const timer of this.timers) clearInterval(timer);
    await Promise.all(this.running.values());
  }

  /** Starts a chore unless it is still at it. */
  private async start(chore: Chore, now: Date): Promise<void> {
    if (this.stopped || this.running.has(chore.name)) return;
    const done = chore
      .run(now)
      .then(() => undefined)
      .catch((error: unknown) => {
        this.logger.warn('A chore failed and will be tried again', { chore: chore.name, error });
      })
      .finally(() => this.running.delete(chore.name));
    this.running.set(chore.name, done);
    await done;
  }

  private prune(deliveries: DeliveriesService, now: Date): Promise<number> {
    return deliveries.prune(new Date(now.getTime() - this.config.deliveryLogDays * DAY_MS));
  }

  private async indexAll(values: ValueIndexer): Promise<void> {
    // The embedded database answers at once: without a pause nobody else would get a turn.
    while (!this.stopped && (await values.indexNext())) await nextTurn();
  }
}
