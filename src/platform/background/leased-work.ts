import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { Leases } from '../database/leased-rows.js';
import type { UnitOfWork } from '../database/unit-of-work.js';
import { Turns } from '../kernel/turns.js';

/** Life of a lease in seconds, unless said otherwise; it is renewed halfway, so only a dead worker's ends. */
const LEASE_SECONDS = 5;

/** A row that a worker has for itself. */
export interface Leased<Row> {
  row: Row;
  /** Token of the lease; nothing of the work is stored without it. */
  token: Buffer;
  /** Aborted once work is to end: the lease was lost, or the process stops. */
  unwanted: AbortSignal;
  /** Aborted once the lease was lost: another worker may have the row. */
  lost: AbortSignal;
}

/** Works on one leased row after the other. */
export class LeasedWork<Row> {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly leases: Leases<Row>,
    private readonly leaseSeconds = LEASE_SECONDS,
  ) {}

  /**
   * Claims a row, has it worked on while the lease is renewed, and gives it back, until none is free.
   * @param signal stops it between two, and says so to the turn
   */
  async each(turn: (leased: Leased<Row>) => Promise<void>, signal?: AbortSignal): Promise<void> {
    while (!signal?.aborted) {
      const token = randomBytes(16);
      const row = await this.unitOfWork.run((tx) =>
        this.leases.claimNext(tx, token, this.leaseSeconds),
      );
      if (!row) return;
      await this.hold(row, token, turn, signal);
    }
  }

  private async hold(
    row: Row,
    token: Buffer,
    turn: (leased: Leased<Row>) => Promise<void>,
    signal?: AbortSignal,
  ): Promise<void> {
    const lost = new AbortController();
    const unwanted = AbortSignal.any([lost.signal, ...(signal ? [signal] : [])]);
    const renew = async () => {
      const isHeld = await this.unitOfWork.run((tx) =>
        this.leases.renew(tx, row, token, this.leaseSeconds),
      );
      if (!isHeld) lost.abort();
    };
    // A renewal that fails is seen when something is stored with the token.
    const beat = setInterval(() => void renew().catch(() => undefined), this.leaseSeconds * 500);
    try {
      await turn({ row, token, unwanted, lost: lost.signal });
    } finally {
      clearInterval(beat);
      await this.unitOfWork.run((tx) => this.leases.release(tx, row, token));
    }
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
