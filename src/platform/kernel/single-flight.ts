import { setImmediate as endOfTurn } from 'node:timers/promises';

/**
 * Lets callers who ask for the same thing in the same turn of the event loop share a read, as
 * submissions share a commit: under load a turn has many. A read that has begun is never joined, for
 * what it finds may be older than the question: a token that was revoked before someone came with it
 * is seen as revoked.
 */
export class SingleFlight<T> {
  private readonly waiting = new Map<string, Promise<T>>();

  /**
   * What `read` resolves to, begun after this call by whoever asked first.
   * @param key the same for those who would read the same
   */
  run(key: string, read: () => Promise<T>): Promise<T> {
    const known = this.waiting.get(key);
    if (known) return known;
    const result = endOfTurn().then(() => {
      this.waiting.delete(key);
      return read();
    });
    this.waiting.set(key, result);
    return result;
  }
}
