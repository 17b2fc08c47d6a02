import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Repeats a small transaction until it finds nothing to do.
 * @param work a transaction; resolves to its number of rows
 * @param signal stops it between two transactions
 * @returns how many rows in all
 */
export async function inPortions(
  work: () => Promise<number>,
  signal?: AbortSignal,
): Promise<number> {
  let sum = 0;
  while (!signal?.aborted) {
    const done = await work();
    if (done === 0) break;
    sum += done;
    // The embedded database answers synchronously: without a pause requests would have to wait.
    await nextTurn();
  }
  return sum;
}
