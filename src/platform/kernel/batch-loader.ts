import { setImmediate as endOfTurn } from 'node:timers/promises';

/** What is asked for in one turn of the event loop. */
interface Batch<T> {
  keys: Set<string>;
  found: Promise<Map<string, T>>;
}

/**
 * Reads at once what is asked for in the same turn of the event loop: under load a turn has many
 * requests. A read that has begun is never joined, for what it finds may be older than the question: a
 * token that was revoked before someone came with it is seen as revoked.
 */
export class BatchLoader<T> {
  private next: Batch<T> | null = null;

  /** @param read finds what there is of these keys, each of them once */
  constructor(private readonly read: (keys: string[]) => Promise<Map<string, T>>) {}

  /** Returns what is read under the key, by a read that begins after this call; null when there is none. */
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
