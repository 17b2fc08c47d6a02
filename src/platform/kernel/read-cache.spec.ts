import { setImmediate as turn } from 'node:timers/promises';
import { ReadCache } from './read-cache.js';

const UNKNOWN = 'unknown';

describe('Copies of rows', () => {
  let cache: ReadCache<number>;
  let reads: string[][];
  let fails: boolean;
  let isGone: boolean;
  beforeEach(() => {
    jest.useFakeTimers();
    jest.advanceTimersByTime(1); // a time of 0 would be none
    reads = [];
    fails = false;
    isGone = false;
    // Every row that is found is the number of the read.
    cache = new ReadCache((keys) => {
      reads.push(keys);
      if (fails) return Promise.reject(new Error('The database is away.'));
      const found = keys.filter((key) => key !== UNKNOWN && !isGone);
      return Promise.resolve(new Map(found.map((key) => [key, reads.length])));
    });
  });
  afterEach(async () => {
    await turn(); // what is read anew
    jest.useRealTimers();
  });

  it('are served for a second and not longer', async () => {
    const first = cache.get('a');
    expect(cache.peek('a')).toBeNull();
    await first;
    expect([cache.peek('a'), cache.peek('b')]).toEqual([1, null]);
    jest.advanceTimersByTime(999);
    expect([cache.peek('a'), await cache.get('a')]).toEqual([1, 1]);
    jest.advanceTimersByTime(1);
    expect([cache.peek('a'), await cache.get('a')]).toEqual([null, 2]);
  });

  it('in use are read anew before they end, all of them together, and nobody waits', async () => {
    await Promise.all(['a', 'b', 'c'].map((key) => cache.get(key)));
    jest.advanceTimersByTime(800);
    expect([cache.peek('a'), cache.peek('b')]).toEqual([1, 1]);
    await turn();
    expect(reads).toEqual([
      ['a', 'b', 'c'],
      ['a', 'b'],
    ]);
    jest.advanceTimersByTime(999);
    expect([cache.peek('a'), cache.peek('b'), cache.peek('c')]).toEqual([2, 2, null]);
  });

  it('that are forgotten while they are read anew stay so', async () => {
    await cache.get('a');
    jest.advanceTimersByTime(800);
    expect(cache.peek('a')).toBe(1);
    cache.forget('a');
    await turn();
    expect(cache.peek('a')).toBeNull();
  });

  it('of rows that are gone go once that is known', async () => {
    await cache.get('a');
    jest.advanceTimersByTime(800);
    isGone = true;
    expect(cache.peek('a')).toBe(1);
    await turn();
    expect(cache.peek('a')).toBeNull();
    expect(await cache.get('a')).toBeNull();
  });

  it('last as long as before where they cannot be read anew', async () => {
    await cache.get('a');
    jest.advanceTimersByTime(800);
    fails = true;
    expect(cache.peek('a')).toBe(1);
    await turn();
    expect(await cache.get('a')).toBe(1);
    jest.advanceTimersByTime(200);
    await expect(cache.get('a')).rejects.toThrow('The database is away.');
  });

  it('are read again once forgotten, alone or all together', async () => {
    await cache.get('a');
    cache.forget('a');
    expect(await cache.get('a')).toBe(2);
    cache.clear();
    expect(await cache.get('a')).toBe(3);
  });

  it('that are forgotten while they are read are not kept', async () => {
    const before = cache.get('a');
    cache.clear();
    const after = cache.get('a');
    cache.clear();
    await Promise.all([before, after]);

    expect(await cache.get('a')).toBe(2);
  });

  it('are neither of failures nor of what is not there', async () => {
    fails = true;
    await expect(cache.get('a')).rejects.toThrow('The database is away.');
    fails = false;
    expect(await cache.get('a')).toBe(2);
    expect(await cache.get(UNKNOWN)).toBeNull();
    expect(await cache.get(UNKNOWN)).toBeNull();
    expect(reads).toHaveLength(4);
  });
});
