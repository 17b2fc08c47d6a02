import { describe, expect, it } from '@jest/globals';
import { inPortions } from './portions.js';

describe('Work in portions', () => {
  it('goes on until there is nothing left, and tells the sum', async () => {
    const portions = [200, 200, 7, 0, 1];

    expect(await inPortions(() => Promise.resolve(portions.shift() ?? 0))).toBe(407);
    expect(portions).toEqual([1]);
  });

  it('stops after the portion under way when the process is to end', async () => {
    const end = new AbortController();
    let portions = 0;

    const sum = await inPortions(() => {
      portions++;
      end.abort();
      return Promise.resolve(200);
    }, end.signal);

    expect([portions, sum]).toEqual([1, 200]);
    expect(await inPortions(() => Promise.resolve(1), end.signal)).toBe(0);
  });
});
