import { BatchLoader } from './batch-loader.js';

/** Life of a copy in milliseconds: a change by another instance is seen after it at the latest. */
const TTL_MS = 1_000;
/** Most copies at a time; beyond it all are dropped. */
const MAX_COPIES = 10_000;

interface Copy<T> {
  value: Promise<T | null>;
  /** The row, once it is read. */
  found: T | null;
  /** When it is read again, by `performance.now()`. */
  until: number;
}

/**
 * Serves copies of rows that nearly every request needs, for a second. Missing rows are not remembered, so
 * a new row is found at once. Code that changes a row calls `forget` or `clear` after the commit.
 */
export class ReadCache<T> {
  private readonly copies = new Map<string, Copy<T>>();
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
    const fresh: Copy<T> = { value, found: null, until: now + TTL_MS };
    this.copies.set(key, fresh);
    const drop = () => {
      if (this.copies.get(key) === fresh) this.copies.delete(key);
    };
    value.then((found) => {
      fresh.found = found;
      if (found === null) drop();
    }, drop);
    return value;
  }

  /** Returns the copy of a key without waiting; null when there is none now. */
  peek(key: string): T | null {
    const copy = this.copies.get(key);
    return copy && copy.until > performance.now() ? copy.found : null;
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
