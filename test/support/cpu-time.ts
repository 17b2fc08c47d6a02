/** Time of `reference()` on a quiet machine once it is compiled, in milliseconds. */
const REFERENCE_MS = 6;
/** How often something is measured that takes too long: a collection of all garbage may fall in any turn. */
const TRIES = 3;

/** Returns how long the process has computed, in milliseconds: waiting for a processor adds nothing. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Fails when a turn of the event loop takes longer than `maxMs` each time that something is done; see `longestTurn`. */
export async function expectShortTurns(maxMs: number, work: () => Promise<unknown>): Promise<void> {
  let shortest = Infinity;
  for (let tries = 0; tries < TRIES && shortest >= maxMs; tries++)
    shortest = Math.min(shortest, await longestTurn(work));
  expect(shortest).toBeLessThan(maxMs);
}

/**
 * Returns the longest turn of the event loop while something is done, in milliseconds of computing as a quiet machine has
 * them: where neighbours share the caches, the same work takes several times as long.
 */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  reference();
  const before = reference();
  let [longest, last, isDone] = [0, cpuMs(), false];
  const turn = () => {
    const now = cpuMs();
    [longest, last] = [Math.max(longest, now - last), now];
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  await work().catch(() => undefined);
  isDone = true;
  longest = Math.max(longest, cpuMs() - last);
  return longest / Math.max(1, Math.max(before, reference()) / REFERENCE_MS);
}

/** Does the same work each time. @returns how long it computed, in milliseconds */
function reference(): number {
  const begin = cpuMs();
  const words = new Map<string, number>();
  for (let n = 0; n < 40_000; n++) words.set(`word ${n % 9_000}`, n);
  return cpuMs() - begin;
}
