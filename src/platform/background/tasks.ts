import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Config } from '../config/config.js';
import { hook, Hooks } from '../hooks/hooks.js';
import { MINUTE_MS, HOUR_MS } from '../kernel/time.js';
import { JobWorker } from './job-worker.js';
import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { Turns } from '../kernel/turns.js';
import { EXPIRIES, removeExpired } from '../database/columns.js';
import { UnitOfWork } from '../database/unit-of-work.js';

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
export class TaskRunner implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly logger = new Logger(TaskRunner.name);
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly running = new Map<string, Promise<void>>();
  private readonly end = new AbortController();

  constructor(
    private readonly hooks: Hooks,
    private readonly config: Config,
    private readonly jobs: JobWorker,
  ) {}

  onApplicationBootstrap() {
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
  async runAll(now: Date) {
    for (const task of this.list()) {
      await this.running.get(task.name);
      await task.run({ now, signal: this.end.signal });
    }
  }

  /** Starts no further task. It does not wait for running ones, since the listener is closed after this. */
  beforeApplicationShutdown() {
    this.end.abort();
    for (const timer of this.timers) clearInterval(timer);
  }

  /** Waits for running tasks, which need the database; it is closed after this. */
  async onApplicationShutdown() {
    await Promise.all(this.running.values());
  }

  /** Returns all tasks, those that run more often first. */
  private list(): Task[] {
    const tasks = this.hooks.all(Tasks).map(({ about, run }) => ({ ...about, run }));
    return [...tasks, ...this.jobs.lanes()].sort((a, b) => a.everyMs - b.everyMs);
  }

  /** Starts a task unless it still runs. */
  private async start(task: Task, now: Date) {
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

/** The part of the event loop's time that is left free, and the part that work gets however much others do. */
const FREE = 0.15;
const LEAST = 0.05;
/** From this part of the event loop's time on others are there, who wait for the database too; looking for work takes less. */
const THERE = 0.05;
/** Over how long what others need is averaged, in milliseconds. */
const LATELY_MS = 100;
/** Nobody rests for less, nor for longer after a piece that waited for a lock, in milliseconds. */
const LEAST_REST_MS = 2;
const LONGEST_REST_MS = 5_000;

/**
 * Lets background work take only what visitors leave. Its pieces have their turns one after the other, whatever they
 * are of, and none begins before the one before has rested: the longer, the more there is to do for visitors.
 */
export class Pace {
  private readonly turns = new Turns(1);
  private ended = performance.eventLoopUtilization();
  private endedAt = -Infinity;
  private restMs = 0;
  /** The part of the event loop's time that others needed lately. */
  private others = 0;

  /** @param rests how long it rests at least while others are there, in parts of what it took */
  constructor(private readonly rests = 1) {}

  /**
   * Does a piece when it is its turn.
   * @param signal lets it be left out, when it is aborted before
   * @returns what it returns, and the processor time it took, in milliseconds; null when it was left out
   */
  piece<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<{ result: Result; cpuMs: number } | null> {
    return this.turns.run(async () => {
      await this.rest(signal);
      if (signal?.aborted) return null;
      this.lookAtOthers();
      const before = performance.eventLoopUtilization();
      const cpuBefore = process.cpuUsage();
      const begin = performance.now();
      try {
        const result = await work();
        const { user, system } = process.cpuUsage(cpuBefore);
        return { result, cpuMs: (user + system) / 1000 - this.othersIn(begin) };
      } finally {
        this.ended = performance.eventLoopUtilization();
        this.endedAt = performance.now();
        const ownMs = performance.eventLoopUtilization(before).active - this.othersIn(begin);
        this.restMs = restAfter(ownMs, this.endedAt - begin, this.others, this.rests);
      }
    });
  }

  /** Waits until the last piece has rested, and for a turn of the event loop in any case. */
  private async rest(signal?: AbortSignal) {
    if (this.restMs === 0) return;
    const leftMs = this.endedAt + this.restMs - performance.now();
    // No longer than that, whatever the clock says.
    const ms = Math.min(Math.max(leftMs, 0), this.restMs);
    await pause(ms, undefined, { signal }).catch(() => undefined);
    // Where that time is over already, a timer comes before what waits for its turn.
    await nextTurn();
  }

  /** Returns what others will have needed of the event loop since then, in milliseconds. */
  private othersIn(begin: number) {
    return this.others * (performance.now() - begin);
  }

  /** Looks at what others needed since the last piece. */
  private lookAtOthers() {
    const { active, idle, utilization } = performance.eventLoopUtilization(this.ended);
    const weight = Math.min((active + idle) / LATELY_MS, 1);
    this.others += (utilization - this.others) * weight;
  }
}

/**
 * Returns how long a piece of work rests, in milliseconds: at least as long as it took while others are there, since they
 * may have to wait for it in the database too.
 * @param ownMs of the event loop that it took, of the `ms` until it ended; less where a server had to be waited for
 * @param others the part of the event loop's time that others need
 * @param rests the least rest beside others, in parts of the time that it took
 */
export function restAfter(ownMs: number, ms: number, others: number, rests = 1) {
  const left = Math.max(1 - FREE - others, LEAST);
  const restMs = Math.max(ownMs / left - ms, others > THERE ? ms * rests : 0, LEAST_REST_MS);
  return Math.min(restMs, LONGEST_REST_MS);
}

/**
 * Processor time that a portion is to take, in milliseconds: on the embedded database visitors wait for all of it. How long
 * the disk takes for a commit does not depend on its rows.
 */
const PORTION_MS = 10;
/** Rows of the first portion, and of each at least: with fewer, statements and the commit would take most of the time. */
const ROWS_LEAST = 25;
const ROWS_MAX = 200;

/** Pace that all background work of this process shares. */
const BACKGROUND = new Pace();

/**
 * Repeats a small transaction until it finds nothing to do, at a pace that visitors do not feel.
 * @param work a transaction of up to so many rows, where it can choose; resolves to its number of rows
 * @param signal stops it between two transactions
 * @param pace one of its own for what somebody waits for; else it takes turns with all other work
 * @returns how many rows in all
 */
export async function inPortions(work: (rows: number) => Promise<number>, signal?: AbortSignal, pace = BACKGROUND) {
  let sum = 0;
  let rows = ROWS_LEAST;
  while (!signal?.aborted) {
    const piece = await pace.piece(() => work(rows), signal);
    if (!piece || piece.result === 0) break;
    sum += piece.result;
    rows = rowsAfter(rows, piece.cpuMs);
  }
  return sum;
}

/** Returns how many rows the next portion has, after one that took so many milliseconds of processor time. */
export function rowsAfter(rows: number, cpuMs: number) {
  const fitting = Math.floor((rows * PORTION_MS) / Math.max(cpuMs, 1));
  const near = Math.min(Math.max(fitting, rows >> 1), rows * 2);
  return Math.min(Math.max(near, ROWS_LEAST), ROWS_MAX);
}

/** Removes rows of the entities that say when theirs end. */
@Injectable()
export class ExpiredRows {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  @BackgroundTask('remove expired rows', HOUR_MS)
  async remove({ now, signal }: TaskRun): Promise<void> {
    for (const each of EXPIRIES)
      await inPortions(() => this.unitOfWork.run((tx) => removeExpired(tx, each, now)), signal);
  }
}
