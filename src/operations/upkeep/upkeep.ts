import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { DeliveriesService } from '../../deliveries/deliveries.service.js';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { FileSweeper } from '../../files/file-sweeper.js';
import { Idempotency } from '../../submissions/storage/idempotency.js';
import { AuditService } from '../../audit/audit.service.js';
import { RateLimits } from '../../platform/rate-limits/rate-limits.js';
import { SessionsService } from '../../sessions/sessions.service.js';
import { SubmissionPurger } from '../../submissions/submission-purger.js';
import { ValueIndexer } from '../../submissions/values/value-indexer.js';
import { WebhooksService } from '../../webhooks/webhooks.service.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A process that is restarted before the hour is over does its part too. */
const FIRST_AFTER_MS = MINUTE_MS;

/** Work that nobody waits for, and how often it is looked for. */
interface Job {
  name: string;
  everyMs: number;
  /** @param signal that the process is to end: what is left is for the next time */
  run(now: Date, signal: AbortSignal): Promise<unknown>;
}

/**
 * Runs the jobs that nobody waits for. Every instance may do all of it at once: each job is a
 * series of small transactions that find nothing left to do when another was faster.
 */
@Injectable()
export class Upkeep
  implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown
{
  private readonly logger = new Logger(Upkeep.name);
  private readonly jobs: Job[];
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly running = new Map<string, Promise<void>>();
  private readonly end = new AbortController();

  constructor(
    values: ValueIndexer,
    purger: SubmissionPurger,
    files: FileSweeper,
    keys: Idempotency,
    deliveries: DeliveriesService,
    limits: RateLimits,
    webhooks: WebhooksService,
    sessions: SessionsService,
    audit: AuditService,
    private readonly config: Config,
  ) {
    this.jobs = [
      { name: 'index values', everyMs: SECOND_MS, run: () => this.indexAll(values) },
      {
        name: 'purge deleted forms',
        everyMs: 5 * SECOND_MS,
        run: (_, signal) =>
          purger.purgeDeletedForms(async (formId) => {
            await deliveries.forgetForm(formId);
            await webhooks.forgetForm(formId);
            await keys.forgetForm(formId);
          }, signal),
      },
      {
        name: 'apply retention',
        everyMs: HOUR_MS,
        run: (now, signal) => purger.applyRetention(now, signal),
      },
      { name: 'sweep files', everyMs: HOUR_MS, run: (now, signal) => files.sweep(now, signal) },
      {
        name: 'forget rate counts',
        everyMs: HOUR_MS,
        run: (now, signal) => limits.forgetOld(now, signal),
      },
      {
        name: 'forget idempotency keys',
        everyMs: HOUR_MS,
        run: (now, signal) => keys.forgetOld(now, signal),
      },
      {
        name: 'forget sessions',
        everyMs: HOUR_MS,
        run: (now, signal) => sessions.forgetOld(now, signal),
      },
      {
        name: 'prune the audit log',
        everyMs: HOUR_MS,
        run: (now, signal) =>
          audit.forgetBefore(new Date(now.getTime() - config.auditLogDays * DAY_MS), signal),
      },
      {
        name: 'prune the delivery log',
        everyMs: HOUR_MS,
        run: (now, signal) => this.prune(deliveries, now, signal),
      },
    ];
  }

  onApplicationBootstrap(): void {
    if (this.config.workers === 'off') return;
    for (const job of this.jobs) {
      const start = () => void this.start(job, new Date());
      this.timers.push(setInterval(start, job.everyMs).unref());
      if (job.everyMs > FIRST_AFTER_MS) {
        this.timers.push(setTimeout(start, FIRST_AFTER_MS).unref());
      }
    }
  }

  /** Does everything there is to do, as of `now`. */
  async runAllJobs(now: Date): Promise<void> {
    for (const job of this.jobs) {
      await this.running.get(job.name);
      await job.run(now, this.end.signal);
    }
  }

  /** Begins nothing more. Nobody waits for it here: the listener is closed first. */
  beforeApplicationShutdown(): void {
    this.end.abort();
    for (const timer of this.timers) clearInterval(timer);
  }

  /** What is under way needs the database, which is closed after this. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.running.values());
  }

  /** Starts a job unless it still runs. */
  private async start(job: Job, now: Date): Promise<void> {
    if (this.end.signal.aborted || this.running.has(job.name)) return;
    const done = job
      .run(now, this.end.signal)
      .then(() => undefined)
      .catch((error: unknown) => {
        this.logger.warn('A job failed and will be repeated', { job: job.name, error });
      })
      .finally(() => this.running.delete(job.name));
    this.running.set(job.name, done);
    await done;
  }

  private prune(deliveries: DeliveriesService, now: Date, signal: AbortSignal): Promise<number> {
    const time = new Date(now.getTime() - this.config.deliveryLogDays * DAY_MS);
    return deliveries.prune(time, signal);
  }

  private async indexAll(values: ValueIndexer): Promise<void> {
    // The embedded database answers at once: without a pause nobody else would get a turn.
    while (!this.end.signal.aborted && (await values.indexNext())) await nextTurn();
  }
}
