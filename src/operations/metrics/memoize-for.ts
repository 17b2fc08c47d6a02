/**
 * Returns a function that calls `ask` at most once in `ms` milliseconds; other callers share its result.
 * @param ask must not reject, or the rejection is shared as well
 */
export function memoizeFor<T>(ms: number, ask: () => Promise<T>): () => Promise<T> {
  let askedAt = -Infinity;
  let answer: Promise<T> | null = null;
  return () => {
    const now = performance.now();
    if (answer === null || now - askedAt >= ms) {
      askedAt = now;
      answer = ask();
    }
    return answer;
  };
}
