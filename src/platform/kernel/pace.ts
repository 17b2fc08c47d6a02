import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

/** The part of the event loop's time that is left free, and the part that work gets however much others do. */
const FREE = 0.15;
const LEAST = 0.05;
/** A shorter time says nothing of what others do, in milliseconds; nobody rests for less. */
const TELLING_MS = 2;

/**
 * Lets background work take only what others leave of the event loop: between two pieces it rests, the longer the more
 * there is to do for visitors.
 */
export class Pace {
  private rested = performance.eventLoopUtilization();
  /** The part of the event loop's time that others needed lately. */
  private others = 0;

  /** Does piece after piece. @param piece tells whether there is more; the signal stops between two */
  async through(piece: () => Promise<boolean>, signal?: AbortSignal): Promise<void> {
    while (!signal?.aborted) {
      const { active, idle, utilization } = performance.eventLoopUtilization(this.rested);
      if (active + idle >= TELLING_MS) this.others = utilization;
      const before = performance.eventLoopUtilization();
      const begin = performance.now();
      const isMore = await piece();
      const ms = performance.now() - begin;
      const own = performance.eventLoopUtilization(before).active - this.others * ms;
      this.rested = performance.eventLoopUtilization();
      if (!isMore) return;
      const restMs = restAfter(own, ms, this.others);
      await pause(restMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

/**
 * Returns how long a piece of work rests, in milliseconds.
 * @param ownMs of the event loop that it took, of the `ms` until it ended; less where a server had to be waited for
 * @param others the part of the event loop's time that others need
 */
export function restAfter(ownMs: number, ms: number, others: number): number {
  return Math.max(ownMs / Math.max(1 - FREE - others, LEAST) - ms, TELLING_MS);
}
