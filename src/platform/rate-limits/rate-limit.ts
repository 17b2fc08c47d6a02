/**
 * Length of a window in seconds where a limit names no other; windows follow the clock, so that all
 * instances have the same.
 */
export const WINDOW_SECONDS = 60;
/** Most keys that are counted at a time; beyond it the oldest are removed. About 20 MB. */
const KEYS_MAX = 100_000;
/**
 * Divides a quota into the chunks that an instance counts before it syncs. Each instance may let that part
 * of the quota through too much; with smaller chunks the store is asked more often (decision 0027).
 */
const SYNC_FRACTION = 10;

/** Identifies a caller: a network, or the id of a form or a token. */
export type Key = string | number;

/** The state of a caller's limit after a request. */
export interface LimitState {
  /** Tells whether the request exceeds the limit. */
  refused: boolean;
  /** Requests left in this window. */
  remaining: number;
  /** Seconds until the next window. */
  secondsLeft: number;
}

/** A count not yet added to the shared store. */
export interface PendingSync {
  name: string;
  key: Key;
  requests: number;
  windowEndsAt: number;
  /** Called with the sum of all instances. */
  onSynced: (sum: number) => void;
}

interface Count {
  /** Requests of all instances, as far as this one knows. */
  total: number;
  /** Requests of this instance that are not in the shared store. */
  pending: number;
}

/**
 * Counts requests by key, in memory and without waiting. Counts are added to the shared store in chunks of a
 * tenth of the quota, so callers far from it cost only a look into a map.
 */
export class RateLimit {
  private counts = new Map<Key, Count>();
  private windowEndsAt = 0;
  private readonly windowMs: number;
  private readonly chunk: number;
  /** Value of the `RateLimit-Policy` header. */
  readonly policy: string;

  /**
   * @param name as headers show it
   * @param quota requests of one key in a window; 0 allows all
   * @param sync adds a chunk to the shared store; returns false when that is not possible now
   * @param windowSeconds length of a window
   */
  constructor(
    private readonly name: string,
    private readonly quota: number,
    private readonly sync: (pending: PendingSync) => boolean = () => false,
    windowSeconds = WINDOW_SECONDS,
  ) {
    this.windowMs = windowSeconds * 1_000;
    this.chunk = Math.ceil(quota / SYNC_FRACTION);
    this.policy = `"${name}";q=${quota};w=${windowSeconds}`;
  }

  get isOff(): boolean {
    return this.quota === 0;
  }

  /** Returns the number of keys that are counted now. */
  get size(): number {
    return this.counts.size;
  }

  /**
   * Counts one request. A refused request is not counted.
   * @param now in milliseconds since the epoch
   */
  consume(key: Key, now: number): LimitState {
    // A window that ends later than a window lasts is left from before the clock was set back.
    const msLeft = this.windowEndsAt - now;
    if (msLeft <= 0 || msLeft > this.windowMs) this.beginWindow(now);
    const count = this.counts.get(key) ?? this.begin(key);
    const refused = count.total >= this.quota;
    if (!refused) {
      count.total++;
      count.pending++;
      if (count.pending >= this.chunk) this.pass(key, count);
    }
    return {
      refused,
      remaining: this.quota - count.total,
      secondsLeft: Math.ceil((this.windowEndsAt - now) / 1_000),
    };
  }

  /** Begins a window; all earlier counts are removed. */
  private beginWindow(now: number): void {
    this.windowEndsAt = (Math.floor(now / this.windowMs) + 1) * this.windowMs;
    this.counts = new Map();
  }

  private begin(key: Key): Count {
    if (this.counts.size >= KEYS_MAX) {
      for (const [oldest] of this.counts) {
        this.counts.delete(oldest);
        break;
      }
    }
    const count = { total: 0, pending: 0 };
    this.counts.set(key, count);
    return count;
  }

  private pass(key: Key, count: Count): void {
    const requests = count.pending;
    const onSynced = (sum: number) => {
      count.total = Math.min(Math.max(count.total, sum + count.pending), this.quota);
    };
    const { windowEndsAt } = this;
    if (this.sync({ name: this.name, key, requests, windowEndsAt, onSynced }))
      count.pending -= requests;
  }
}
