/** The runner's list of why tests of a file were skipped, for the end of the run. */
const reasons = (globalThis as Record<symbol, unknown>)[Symbol.for('skipped-because')];

/** Returns what runs tests where something is there, and skips them elsewhere. @param otherwise the reason */
export function where(isThere: boolean, otherwise: string) {
  if (isThere) return { describe, it };
  if (reasons instanceof Set) reasons.add(otherwise);
  return { describe: describe.skip, it: it.skip };
}
