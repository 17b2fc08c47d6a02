import { BatchLoader } from './batch-loader.js';

/** Life of a copy in milliseconds: a change by another instance is seen after it at the latest. */
const TTL_MS = 1_000;
/** Rest of its life in which a copy that is asked for is read anew, so that nobody waits when it ends. */
const AHEAD_MS = 300;
/** Copies that are read anew together, the oldest: one query for each would cost more than all that ask. */
const AHEAD_COPIES = 50;
/** Copies that are looked at for these: thousands may be in nobody's use. */
const LOOKED_COPIES = 500;
/** Most copies at a time; beyond it all are dropped. */
const MAX_COPIES = 10_000;

interface Copy<T> {
  value: Promise<T | null>;
  /** The row, once it is read. */
  found: T | null;
  /** When it ends, by `performance.now()`. */
  until: number;
  /** Whether anybody asked for it since it was read. */
  isUsed: boolean;
  /** The copy that takes its place once it is read; null when none is being read. */
  next: Copy<T> | null;
}

/**
 * Serves copies of rows that nearly every request needs, for a second. Those that are in use are read anew before they
 * end. Missing rows are not remembered, so a new row is found at once. Code that changes a row calls `forget` or
 * `clear` after the commit.
 */
export class ReadCache<T> {
  /** In the order in which they were read. */
  private readonly copies = new Map<string, Copy<T>>();
  private readonly loader: BatchLoader<T>;

  /** @param read returns the rows that exist among these keys */
  constructor(read: (keys: string[]) => Promise<Map<string, T>>) {
    this.loader = new BatchLoader(read);
  }

  /** Returns the row of a key, read at most once at a time; null when there is none. */
  get(key: string): Promise<T | null> {
    const copy = this.current(key);
    if (copy) return copy.value;
    if (this.copies.size >= MAX_COPIES) this.copies.clear();
    const fresh = this.begin(key);
    this.copies.set(key, fresh);
    const drop = () => {
      this.replace(key, fresh, null);
    };
    fresh.value.then((found) => {
      if (found === null) drop();
    }, drop);
    return fresh.value;
  }

  /** Returns the copy of a key without waiting; null when there is none now. */
  peek(key: string): T | null {
    return this.current(key)?.found ?? null;
  }

  /** Drops a copy, so that the next caller reads again. A read under way serves its present callers alone. */
  forget(key: string): void {
    this.copies.delete(key);
  }

  /** Drops all copies. */
  clear(): void {
    this.copies.clear();
  }

  /** Returns the copy of a key that has not ended, if there is any. */
  private current(key: string): Copy<T> | null {
    const copy = this.copies.get(key);
    if (!copy) return null;
    const now = performance.now();
    copy.isUsed = true;
    if (copy.until <= now + AHEAD_MS) this.readAhead(now);
    if (copy.until > now) return copy;
    return copy.next && copy.next.until > now ? copy.next : null;
  }

  /** Reads the oldest copies anew that end soon and were asked for, and drops those that have ended and were not. */
  private readAhead(now: number): void {
    let left = AHEAD_COPIES;
    let looked = 0;
    for (const [key, copy] of this.copies) {
      if (left === 0 || looked++ === LOOKED_COPIES || copy.until > now + AHEAD_MS) return;
      if (copy.next || copy.found === null) continue;
      if (!copy.isUsed) {
        if (copy.until <= now) this.copies.delete(key);
        continue;
      }
      left--;
      const next = (copy.next = this.begin(key));
      next.value.then(
        (found) => {
          this.replace(key, copy, found === null ? null : next);
        },
        () => {
          copy.next = null;
        },
      );
    }
  }

  private begin(key: string): Copy<T> {
    const value = this.loader.load(key);
    const until = performance.now() + TTL_MS;
    const copy: Copy<T> = { value, found: null, until, isUsed: false, next: null };
    value.then(
      (found) => {
        copy.found = found;
      },
      () => undefined,
    );
    return copy;
  }

  /** Puts a copy in place of another, unless that was forgotten meanwhile. */
  private replace(key: string, old: Copy<T>, next: Copy<T> | null): void {
    if (this.copies.get(key) !== old) return;
    this.copies.delete(key); // those that were read last are at the end
    if (next) this.copies.set(key, next);
  }
}
