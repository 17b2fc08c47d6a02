import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { Turns } from '../kernel/turns.js';

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
  piece<Result>(
    work: () => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<{ result: Result; cpuMs: number } | null> {
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
  private async rest(signal?: AbortSignal): Promise<void> {
    if (this.restMs === 0) return;
    const leftMs = this.endedAt + this.restMs - performance.now();
    // No longer than that, whatever the clock says.
    const ms = Math.min(Math.max(leftMs, 0), this.restMs);
    await pause(ms, undefined, { signal }).catch(() => undefined);
    // Where that time is over already, a timer comes before what waits for its turn.
    await nextTurn();
  }

  /** Returns what others will have needed of the event loop since then, in milliseconds. */
  private othersIn(begin: number): number {
    return this.others * (performance.now() - begin);
  }

  /** Looks at what others needed since the last piece. */
  private lookAtOthers(): void {
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
export function restAfter(ownMs: number, ms: number, others: number, rests = 1): number {
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
export async function inPortions(
  work: (rows: number) => Promise<number>,
  signal?: AbortSignal,
  pace = BACKGROUND,
): Promise<number> {
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
export function rowsAfter(rows: number, cpuMs: number): number {
  const fitting = Math.floor((rows * PORTION_MS) / Math.max(cpuMs, 1));
  const near = Math.min(Math.max(fitting, rows >> 1), rows * 2);
  return Math.min(Math.max(near, ROWS_LEAST), ROWS_MAX);
}
