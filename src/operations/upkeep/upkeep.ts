import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { MINUTE_MS } from '../../platform/kernel/durations.js';
import { UpkeepJobs, type Job } from './upkeep-jobs.js';

/** Time to the first run of hourly jobs, so that a process that restarts more often runs them too. */
const FIRST_AFTER_MS = MINUTE_MS;

/** Runs the jobs of the background, each again and again. */
@Injectable()
export class Upkeep
  implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown
{
  private readonly logger = new Logger(Upkeep.name);
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly running = new Map<string, Promise<void>>();
  private readonly end = new AbortController();

  constructor(
    private readonly jobs: UpkeepJobs,
    private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.deliveries.workers === 'off') return;
    for (const job of this.jobs.all) {
      const start = () => void this.start(job, new Date());
      this.timers.push(setInterval(start, job.everyMs).unref());
      if (job.everyMs > FIRST_AFTER_MS) {
        this.timers.push(setTimeout(start, FIRST_AFTER_MS).unref());
      }
    }
  }

  /** Runs every job once, as of `now`. */
  async runAllJobs(now: Date): Promise<void> {
    for (const job of this.jobs.all) {
      await this.running.get(job.name);
      await job.run(now, this.end.signal);
    }
  }

  /** Starts no further job. It does not wait for running ones, since the listener is closed after this. */
  beforeApplicationShutdown(): void {
    this.end.abort();
    for (const timer of this.timers) clearInterval(timer);
  }

  /** Waits for running jobs, which need the database; it is closed after this. */
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
}
