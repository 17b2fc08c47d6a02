import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Repeats a small piece of work until it finds nothing to do, or the process is to end.
 * @param work a transaction; resolves to how many rows it did
 * @param signal when to leave the rest for the next time; looked at between the pieces
 * @returns how many rows it did in all
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
    // The embedded database answers at once: without a pause nobody else would get a turn.
    await nextTurn();
  }
  return sum;
}
