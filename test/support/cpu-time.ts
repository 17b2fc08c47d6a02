/** Returns how long the process has computed, in milliseconds: waiting for a processor adds nothing. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Returns the longest turn of the event loop while something is done, in milliseconds of computing. */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let [longest, last, isDone] = [0, cpuMs(), false];
  const turn = () => {
    const now = cpuMs();
    [longest, last] = [Math.max(longest, now - last), now];
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  await work().catch(() => undefined);
  isDone = true;
  return Math.max(longest, cpuMs() - last);
}
