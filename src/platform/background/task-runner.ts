import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Config } from '../config/config.js';
import { hook, Hooks } from '../hooks/hooks.js';
import { MINUTE_MS } from '../kernel/time.js';
import { JobWorker } from './job-worker.js';

/** Arguments of one run of a task. */
export interface TaskRun {
  now: Date;
  /** Aborts when the process stops; what is left to do is left to the next run. */
  signal?: AbortSignal;
}

/** A method that does work no request waits for, and how often it is started. */
interface Task {
  name: string;
  everyMs: number;
  run(run: TaskRun): Promise<unknown>;
}

const Tasks = hook<Task['run'], Omit<Task, 'run'>>();

/**
 * Has a method of a provider run in the background, again and again, on all instances at once: its work is a series of
 * small transactions, which find nothing left to do when another instance was faster.
 * @param name what the log calls it
 */
export function BackgroundTask(name: string, everyMs: number) {
  return Tasks({ name, everyMs });
}

/** Time to the first run of hourly tasks, so that a process that restarts more often runs them too. */
const FIRST_AFTER_MS = MINUTE_MS;

/** Finds what providers have declared with `BackgroundTask`, and runs each task again and again. */
@Injectable()
export class TaskRunner
  implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown
{
  private readonly logger = new Logger(TaskRunner.name);
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly running = new Map<string, Promise<void>>();
  private readonly end = new AbortController();

  constructor(
    private readonly hooks: Hooks,
    private readonly config: Config,
    private readonly jobs: JobWorker,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.deliveries.workers === 'off') return;
    for (const task of this.list()) {
      const start = () => void this.start(task, new Date());
      this.timers.push(setInterval(start, task.everyMs).unref());
      if (task.everyMs > FIRST_AFTER_MS) {
        this.timers.push(setTimeout(start, FIRST_AFTER_MS).unref());
      }
    }
  }

  /** Runs every task once, as of `now`: those that run more often first. */
  async runAll(now: Date): Promise<void> {
    for (const task of this.list()) {
      await this.running.get(task.name);
      await task.run({ now, signal: this.end.signal });
    }
  }

  /** Starts no further task. It does not wait for running ones, since the listener is closed after this. */
  beforeApplicationShutdown(): void {
    this.end.abort();
    for (const timer of this.timers) clearInterval(timer);
  }

  /** Waits for running tasks, which need the database; it is closed after this. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.running.values());
  }

  /** Returns all tasks, those that run more often first. */
  private list(): Task[] {
    const tasks = this.hooks.all(Tasks).map(({ about, run }) => ({ ...about, run }));
    return [...tasks, ...this.jobs.lanes()].sort((a, b) => a.everyMs - b.everyMs);
  }

  /** Starts a task unless it still runs. */
  private async start(task: Task, now: Date): Promise<void> {
    if (this.end.signal.aborted || this.running.has(task.name)) return;
    const done = task
      .run({ now, signal: this.end.signal })
      .then(() => undefined)
      .catch((error: unknown) => {
        this.logger.warn('A task failed and will be repeated', { task: task.name, error });
      })
      .finally(() => this.running.delete(task.name));
    this.running.set(task.name, done);
    await done;
  }
}
