import { setImmediate as endOfTurn } from 'node:timers/promises';

/**
 * Lets callers who want the same in the same turn of the event loop share one read; under load a turn has
 * many. A read that has begun is never joined, since its result may be older than the call: a token revoked
 * before a request must be seen as revoked.
 */
export class SingleFlight<T> {
  private readonly waiting = new Map<string, Promise<T>>();

  /**
   * Returns what `read` of the first caller resolves to. It begins after this call.
   * @param key the same for callers who would read the same
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
