import { Pace, inPortions, rowsAfter } from './tasks.js';

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

  it('has more rows in the next portion while one takes less than ten milliseconds, and fewer after a longer one', () => {
    expect(rowsAfter(25, 1)).toBe(50);
    expect(rowsAfter(50, 8)).toBe(62);
    expect(rowsAfter(100, 20)).toBe(50);
    expect(rowsAfter(100, 200)).toBe(50);
    expect(rowsAfter(30, 500)).toBe(25);
    expect(rowsAfter(200, 0)).toBe(200);
  });

  it('tells work of how many rows a portion is to be', async () => {
    const asked: number[] = [];
    await inPortions(
      (rows) => {
        asked.push(rows);
        return Promise.resolve(asked.length < 3 ? rows : 0);
      },
      undefined,
      new Pace(),
    );
    expect(asked).toEqual([25, 50, 100]);
  });
});
