import { RateLimit, type PendingSync } from './rate-limits.js';

const QUOTA = 50;
const MINUTE_MS = 60_000;
/** The beginning of a window. */
const NOON = Date.UTC(2030, 0, 1, 12);

const take = (limit: RateLimit, times: number, key: string | number = 1, now = NOON) =>
  Array.from({ length: times }, () => limit.consume(key, now).refused);
const refusals = (answers: boolean[]) => answers.filter(Boolean).length;

describe('A limit', () => {
  it.each([1, 59, 60, 61, 3_600, 86_400])(
    'goes by minutes of the clock also after it was set back by %d seconds',
    (seconds) => {
      const limit = new RateLimit('address', QUOTA);
      take(limit, QUOTA);
      const begin = NOON - seconds * 1_000;
      const endOfWindow = (Math.floor(begin / MINUTE_MS) + 1) * MINUTE_MS;

      expect(limit.consume(1, endOfWindow).refused).toBe(endOfWindow === NOON);
      for (let minute = 1; minute < 5; minute++) {
        const now = endOfWindow + minute * MINUTE_MS;
        const { refused, secondsLeft } = limit.consume(1, now);
        expect({ refused, secondsLeft }).toEqual({ refused: false, secondsLeft: 60 });
      }
    },
  );

  it('of 0 is off', () => {
    expect(new RateLimit('address', 0).isOff).toBe(true);
  });

  it('forgets all keys of a minute with it, and holds only so many meanwhile', () => {
    const limit = new RateLimit('address', QUOTA);
    for (let key = 0; key < 150_000; key++) limit.consume(key, NOON);
    expect(limit.size).toBe(100_000);

    limit.consume(1, NOON + MINUTE_MS);
    expect(limit.size).toBe(1);
  });
});

describe('Instances that share a quota', () => {
  /** Instances that add up their counts on demand. */
  function instances(count: number) {
    const sums = new Map<string, number>();
    const pending: PendingSync[] = [];
    const tell = (each: PendingSync) => pending.push(each) > 0;
    const exchange = () => {
      for (const { key, windowEndsAt, requests, onSynced } of pending.splice(0)) {
        const id = `${key} ${windowEndsAt}`;
        sums.set(id, (sums.get(id) ?? 0) + requests);
        onSynced(sums.get(id) ?? 0);
      }
    };
    return { limits: Array.from({ length: count }, () => new RateLimit('address', QUOTA, tell)), pending, exchange };
  }

  it('say nothing of callers who are far from it', () => {
    const { limits, pending } = instances(2);
    for (const limit of limits) take(limit, 4);
    expect(pending).toEqual([]);
  });

  it('give away no more than a tenth of it each beyond it', () => {
    const { limits, exchange } = instances(3);
    let accepted = 0;
    for (let i = 0; i < 3 * QUOTA; i++) {
      const limit = limits[i % 3] ?? limits[0];
      if (limit?.consume(1, NOON).refused === false) accepted++;
      exchange();
    }
    expect(accepted).toBeGreaterThanOrEqual(QUOTA);
    expect(accepted).toBeLessThanOrEqual(QUOTA + (3 * QUOTA) / 10);
  });

  it('count what comes while they wait for the sum', () => {
    const { limits, exchange } = instances(2);
    const [one, other] = limits as [RateLimit, RateLimit];
    take(one, 20);
    exchange();
    take(other, 12);
    exchange();
    expect(other.consume(1, NOON).remaining).toBe(QUOTA - 20 - 12 - 1);
  });

  it('limit by themselves while counts cannot be shared, and share them later', () => {
    let reachable = false;
    const heard: number[] = [];
    const limit = new RateLimit('address', QUOTA, ({ requests }) => {
      if (reachable) heard.push(requests);
      return reachable;
    });
    expect(refusals(take(limit, 30))).toBe(0);
    reachable = true;
    expect(refusals(take(limit, 30))).toBe(10);
    expect(heard[0]).toBe(31);
  });
});
