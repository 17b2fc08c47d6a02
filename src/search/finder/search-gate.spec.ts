import { SearchesBusy, SearchUnderWay } from '../../submissions/model/submission.errors.js';
import { SearchGate } from './search-gate.js';

let gate: SearchGate;
let running: number;
let most: number;
beforeEach(() => {
  jest.useFakeTimers();
  gate = new SearchGate();
  running = 0;
  most = 0;
});
afterEach(() => {
  jest.useRealTimers();
});

const principalOf = (id: number, accountId = 1, clientId: number | null = null) => ({
  ...{ accountId, clientId },
  reader: { kind: 'token' as const, id, name: 'Phone', address: null },
});

/** Begins a search of a reader that takes as long as said. */
function search(id: number, ms: number, accountId = id, clientId?: number): Promise<string> {
  return gate
    .run(principalOf(id, accountId, clientId), async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, ms));
      running--;
      return 'found';
    })
    .catch((error: unknown) => (error as Error).constructor.name);
}

describe('The gate of searches', () => {
  it('lets two readers search at once, and one reader once', async () => {
    const [one, , other, third] = [search(1, 500), search(1, 500), search(2, 500), search(3, 500)];
    await jest.advanceTimersByTimeAsync(500);
    expect(await Promise.all([one, other])).toEqual(['found', 'found']);
    await jest.advanceTimersByTimeAsync(500);
    expect(await third).toBe('found');
    expect(most).toBe(2);

    most = 0;
    const mine = Array.from({ length: 5 }, () => search(1, 100));
    await jest.advanceTimersByTimeAsync(500);
    expect(await Promise.all(mine)).toEqual(mine.map(() => 'found'));
    expect(most).toBe(1);
  });

  it('refuses those who would wait for long, and tells whose searches are in the way', async () => {
    const long = [search(1, 60_000), search(2, 60_000)];
    const waiting = [search(1, 1), search(3, 1)];
    await jest.advanceTimersByTimeAsync(3_000);
    expect(await Promise.all(waiting)).toEqual([SearchUnderWay.name, SearchesBusy.name]);

    await jest.advanceTimersByTimeAsync(60_000);
    expect(await Promise.all(long)).toEqual(['found', 'found']);
    const next = search(3, 1);
    await jest.advanceTimersByTimeAsync(1);
    expect(await next).toBe('found');
  });

  it('goes on after a search that failed', async () => {
    const failed = gate.run(principalOf(1), () => Promise.reject(new Error('No')));
    await expect(failed).rejects.toThrow('No');
    const next = [search(1, 1), search(2, 1)];
    await jest.advanceTimersByTimeAsync(1);
    expect(await Promise.all(next)).toEqual(['found', 'found']);
  });

  it('leaves places to others when one reader asks for very many', async () => {
    const [first, ...more] = Array.from({ length: 300 }, () => search(1, 100));
    const refused = Promise.all(more.slice(20));
    const others = [search(2, 100), search(3, 100)];
    await jest.advanceTimersByTimeAsync(0);
    expect(new Set(await refused)).toEqual(new Set([SearchUnderWay.name]));
    await jest.advanceTimersByTimeAsync(2_500);
    expect(await Promise.all([first, ...more.slice(0, 20), ...others])).toEqual(
      Array.from({ length: 23 }, () => 'found'),
    );
  });

  it('gives each account its turn, and each client of one', async () => {
    const ended: string[] = [];
    const begin = (name: string, id: number, accountId: number, clientId?: number) =>
      search(id, 100, accountId, clientId).then(() => ended.push(name));
    const all = [
      ...[1, 2, 3, 4, 5, 6].map((id) => begin('greedy client', id, 1, 1)),
      ...[7, 8, 9].map((id) => begin('greedy account', id, 2)),
      begin('other client', 10, 1, 2),
      begin('other account', 11, 3),
    ];
    await jest.advanceTimersByTimeAsync(1_000);
    await Promise.all(all);
    expect(ended.slice(0, 6)).toEqual([
      ...['greedy client', 'greedy client'],
      ...['greedy account', 'other account'],
      ...['other client', 'greedy account'],
    ]);
  });

  it('keeps places for others when one account waits with very many', async () => {
    const [, , ...more] = Array.from({ length: 150 }, (_, id) => search(id, 100, 1));
    const refused = Promise.all(more.slice(100));
    await jest.advanceTimersByTimeAsync(0);
    expect(new Set(await refused)).toEqual(new Set([SearchesBusy.name]));
    const other = search(1_000, 1, 2);
    await jest.advanceTimersByTimeAsync(200);
    expect(await other).toBe('found');
    await jest.advanceTimersByTimeAsync(10_000);
    await Promise.all(more);
  });

  it('refuses at once when very many wait', async () => {
    const all = Array.from({ length: 300 }, (_, n) => search(n, 60_000));
    await jest.advanceTimersByTimeAsync(0);
    const refused = await Promise.race(all.slice(202));
    expect(refused).toBe(SearchesBusy.name);
    await jest.advanceTimersByTimeAsync(120_000);
    await Promise.all(all);
  });
});
