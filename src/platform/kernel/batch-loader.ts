import { setImmediate as endOfTurn } from 'node:timers/promises';

/** The keys of one turn of the event loop, and their rows. */
interface Batch<T> {
  keys: Set<string>;
  found: Promise<Map<string, T>>;
}

/**
 * Reads all keys of one turn of the event loop at once, as under load many requests share a turn. A call
 * never joins a read that has begun, whose result may be older than the call: a token that was revoked
 * before a request is refused in that request.
 */
export class BatchLoader<T> {
  private next: Batch<T> | null = null;

  /** @param read returns the rows that exist among these keys, which are all different */
  constructor(private readonly read: (keys: string[]) => Promise<Map<string, T>>) {}

  /** Returns the row of a key, by a read that begins after this call; null when there is none. */
  async load(key: string): Promise<T | null> {
    const batch = (this.next ??= this.begin());
    batch.keys.add(key);
    return (await batch.found).get(key) ?? null;
  }

  private begin(): Batch<T> {
    const keys = new Set<string>();
    const found = endOfTurn().then(() => {
      this.next = null;
      return this.read([...keys]);
    });
    return { keys, found };
  }
}
