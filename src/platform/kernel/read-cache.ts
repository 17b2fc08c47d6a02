import { BatchLoader } from './batch-loader.js';

/** Life of a copy in milliseconds: a change by another instance is seen after it at the latest. */
const TTL_MS = 1_000;
/** Most copies at a time; beyond it all are dropped. */
const MAX_COPIES = 10_000;

/**
 * Serves copies of rows that nearly every request needs, for a second. Missing rows are not remembered, so
 * a new row is found at once. Code that changes a row calls `forget` or `clear` after the commit.
 */
export class ReadCache<T> {
  private readonly copies = new Map<string, { value: Promise<T | null>; until: number }>();
  private readonly loader: BatchLoader<T>;

  /** @param read returns the rows that exist among these keys */
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

  /** Drops a copy, so that the next caller reads again. A read under way serves its present callers alone. */
  forget(key: string): void {
    this.copies.delete(key);
  }

  /** Drops all copies. */
  clear(): void {
    this.copies.clear();
  }
}
