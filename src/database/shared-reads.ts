import { setTimeout as pause } from 'node:timers/promises';

/** How long a read is waited for before the next one begins beside it: a silent database answers neither. */
const PATIENCE_MS = 100;

interface Reading<T> {
  /** Resolves when it has ended, well or not. */
  ended: Promise<unknown>;
  /** Begins after this one, for all who have asked meanwhile. */
  next: Promise<T> | null;
}

/**
 * Lets callers who ask for the same thing at the same time share a read, as submissions share a
 * commit. A read that has begun is never joined: what it finds may be older than the question. Those
 * who come while it runs share the next one, so a token that was revoked, or a form that was changed,
 * before someone asked is seen as it is.
 */
export class SharedReads<T> {
  private readonly readings = new Map<string, Reading<T>>();

  /**
   * What `read` resolves to, begun after this call by whoever asked first.
   * @param key the same for those who would read the same
   */
  get(key: string, read: () => Promise<T>): Promise<T> {
    const reading = this.readings.get(key);
    if (!reading) return this.begin(key, read);
    const { ended } = reading;
    reading.next ??= Promise.race([ended, pause(PATIENCE_MS, undefined, { ref: false })]).then(() =>
      this.begin(key, read),
    );
    return reading.next;
  }

  private begin(key: string, read: () => Promise<T>): Promise<T> {
    const result = read();
    const reading: Reading<T> = { ended: result.catch(() => undefined), next: null };
    this.readings.set(key, reading);
    void reading.ended.then(() => {
      if (this.readings.get(key) === reading && !reading.next) this.readings.delete(key);
    });
    return result;
  }
}
