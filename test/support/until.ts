import { setTimeout as pause } from 'node:timers/promises';

/** Guards against what never comes to hold. */
const LONGEST_MS = 60_000;
const INTERVAL_MS = 5;

/** Resolves as soon as something holds that the service does in its own time. */
export async function until(holds: () => boolean | Promise<boolean>, longestMs = LONGEST_MS): Promise<void> {
  const end = performance.now() + longestMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error('It did not come to hold.');
    await pause(INTERVAL_MS);
  }
}
