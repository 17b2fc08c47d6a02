/** How long a request counts: windows follow the clock, so that all instances agree on them. */
export const WINDOW_SECONDS = 60;
const WINDOW_MS = WINDOW_SECONDS * 1_000;
/** Keys that are counted at once; beyond, the oldest are forgotten. About 20 MB. */
const KEYS_MAX = 100_000;
/** Part of a quota that one instance gives away before it asks the others. */
const SYNC_FRACTION = 10;

/** Who is counted: a network, or the id of a form or a token. */
export type Key = string | number;

/** How a caller stands after a request. */
export interface LimitState {
  /** Whether the request is one too many. */
  refused: boolean;
  /** Requests left in this window. */
  remaining: number;
  /** Until the next window. */
  secondsLeft: number;
}

/** What this instance counted and the others may not know yet. */
export interface PendingSync {
  name: string;
  key: Key;
  requests: number;
  windowEndsAt: number;
  /** To be called with the sum of all instances. */
  onSynced: (sum: number) => void;
}

interface Count {
  /** Requests of all instances, as far as they are known here. */
  total: number;
  /** Requests of this instance that the others do not know. */
  pending: number;
}

/**
 * Counts requests by key, in memory and without waiting for anything. Other instances are told in
 * chunks of a tenth of the quota, so callers far from it cost nothing but a look into a map.
 */
export class RateLimit {
  private counts = new Map<Key, Count>();
  private windowEndsAt = 0;
  private readonly chunk: number;
  /** Value of the `RateLimit-Policy` header. */
  readonly policy: string;

  /**
   * @param name as headers show it
   * @param quota requests of one key in a window; 0 allows all
   * @param sync passes on what others should know; false when that is not possible now
   */
  constructor(
    private readonly name: string,
    private readonly quota: number,
    private readonly sync: (pending: PendingSync) => boolean = () => false,
  ) {
    this.chunk = Math.ceil(quota / SYNC_FRACTION);
    this.policy = `"${name}";q=${quota};w=${WINDOW_SECONDS}`;
  }

  get isOff(): boolean {
    return this.quota === 0;
  }

  /** Keys that are being counted. */
  get size(): number {
    return this.counts.size;
  }

  /**
   * Counts one request. One too many is not counted: it makes no difference any more.
   * @param now in milliseconds since the epoch
   */
  consume(key: Key, now: number): LimitState {
    // The clock may have been set back: a window that ends later than a window lasts is of another time.
    const msLeft = this.windowEndsAt - now;
    if (msLeft <= 0 || msLeft > WINDOW_MS) this.beginWindow(now);
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

  /** What was counted before is worth nothing now, and forgotten at once. */
  private beginWindow(now: number): void {
    this.windowEndsAt = (Math.floor(now / WINDOW_MS) + 1) * WINDOW_MS;
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
