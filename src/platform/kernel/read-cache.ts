import { setImmediate as endOfTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';

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

/** Life of a copy in milliseconds, its end included: a change by another instance is seen after it at the latest. */
const TTL_MS = 999;
/** Rest of its life in which a copy that is asked for is read anew, so that nobody waits when it ends. */
const AHEAD_MS = 300;
/** Copies that are read anew together, the oldest: one query for each would cost more than all that ask. */
const AHEAD_COPIES = 50;
/** Copies that are looked at for these: thousands may be in nobody's use. */
const LOOKED_COPIES = 500;
/** Most copies at a time; beyond it the oldest go. */
const MAX_COPIES = 10_000;

interface Copy<T> {
  row: T | null;
  /** Whether anybody asked for it since it was read. */
  isUsed: boolean;
  /** Whether the one that takes its place is being read. */
  isReplaced: boolean;
}

/**
 * Serves copies of rows that nearly every request needs, for a second. Those that are in use are read anew before they
 * end. Missing rows are not remembered, so a new row is found at once. Code that changes a row calls `forget` or
 * `clear` after the commit.
 */
export class ReadCache<T> {
  private readonly copies: LRUCache<string, Copy<T>>;

  /** @param read returns the rows that exist among these keys */
  constructor(read: (keys: string[]) => Promise<Map<string, T>>) {
    const loader = new BatchLoader(read);
    this.copies = new LRUCache<string, Copy<T>>({
      max: MAX_COPIES,
      ttl: TTL_MS,
      ttlResolution: 0,
      perf: { now: () => performance.now() },
      ignoreFetchAbort: true, // by `forget`, after which a read serves its present callers alone
      noDeleteOnFetchRejection: true,
      fetchMethod: async (key, _, { options }) => {
        const begin = performance.now();
        const row = await loader.load(key);
        options.ttl = Math.max(TTL_MS - (performance.now() - begin), 1);
        return { row, isUsed: false, isReplaced: false };
      },
    });
  }

  /** Returns the row of a key, read at most once at a time; null when there is none. */
  async get(key: string): Promise<T | null> {
    return this.current(key)?.row ?? (await this.read(key));
  }

  /** Returns the copy of a key without waiting; null when there is none now. */
  peek(key: string): T | null {
    return this.current(key)?.row ?? null;
  }

  /** Drops a copy, so that the next caller reads again. A read under way serves its present callers alone. */
  forget(key: string) {
    this.copies.delete(key);
  }

  /** Drops all copies. */
  clear() {
    this.copies.clear();
  }

  /** Returns the copy of a key that has not ended, if there is any. */
  private current(key: string) {
    const copy = this.copies.peek(key); // keeps the order in which they were read
    if (!copy) return undefined;
    copy.isUsed = true;
    const left = this.copies.getRemainingTTL(key);
    if (left <= AHEAD_MS && !copy.isReplaced) this.readAhead();
    return copy;
  }

  /** Reads copies anew that end soon and were asked for; the library passes over those that have ended or are read. */
  private readAhead() {
    let left = AHEAD_COPIES;
    let looked = 0;
    for (const key of this.copies.rkeys()) {
      const endsSoon = this.copies.getRemainingTTL(key) <= AHEAD_MS;
      if (!endsSoon || left === 0 || looked++ === LOOKED_COPIES) return;
      const copy = this.copies.peek(key);
      if (!copy?.isUsed) continue;
      left--;
      copy.isReplaced = true;
      this.read(key, { forceRefresh: true }).catch(() => {
        copy.isReplaced = false;
      });
    }
  }

  private async read(key: string, how = { forceRefresh: false }): Promise<T | null> {
    const copy = await this.copies.fetch(key, how);
    if (copy?.row === null && this.copies.peek(key) === copy) this.copies.delete(key);
    return copy?.row ?? null;
  }
}
