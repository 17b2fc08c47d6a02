import { Pace } from './pace.js';

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
