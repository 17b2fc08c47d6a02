import { BatchLoader } from './batch-loader.js';

/** How long a copy is served; a change made by another instance is seen after at most this. */
const TTL_MS = 1_000;
/** Copies that are kept at once. */
const MAX_COPIES = 10_000;

/**
 * Serves copies of rows that nearly every request needs, for a second. What is not there is not
 * remembered, so what was just made is found at once. Whoever changes a row through this process calls
 * `forget` or `clear` after the commit.
 */
export class ReadCache<T> {
  private readonly copies = new Map<string, { value: Promise<T | null>; until: number }>();
  private readonly loader: BatchLoader<T>;

  /** @param read finds the rows there are of these keys */
  constructor(read: (keys: string[]) => Promise<Map<string, T>>) {
    this.loader = new BatchLoader(read);
  }

  /** Returns the row of a key, read at most once at a time; null when there is none. */
  get(key: string): Promise<T | null> {
    const now = performance.now();
    const copy = this.copies.get(key);
    if (copy && copy.until > now) return copy.value;
    if (this.copies.size >= MAX_COPIES) this.copies.clear();
    const value = this.loader.load(key);
    this.copies.set(key, { value, until: now + TTL_MS });
    const drop = () => {
      if (this.copies.get(key)?.value === value) this.copies.delete(key);
    };
    value.then((found) => {
      if (found === null) drop();
    }, drop);
    return value;
  }

  /** Has the next caller read again; what is being read now is served to those alone who wait for it. */
  forget(key: string): void {
    this.copies.delete(key);
  }

  /** Forgets everything. */
  clear(): void {
    this.copies.clear();
  }
}
