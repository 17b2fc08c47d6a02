/**
 * Asks at most once in `ms`; callers in between, and while an answer is awaited, share it.
 * @param ask does not reject
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
