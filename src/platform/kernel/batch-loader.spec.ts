import { setImmediate as endOfTurn } from 'node:timers/promises';
import { BatchLoader } from './read-cache.js';

describe('A batch loader', () => {
  let reads: string[][];
  let state: string;
  let loader: BatchLoader<string>;
  beforeEach(() => {
    reads = [];
    state = 'valid';
    loader = new BatchLoader((keys) => {
      reads.push(keys);
      if (state === 'gone') return Promise.reject(new Error('gone'));
      return Promise.resolve(new Map(keys.map((key) => [key, `${key} ${state}`])));
    });
  });

  it('reads once for all who ask in the same turn, each key once', async () => {
    const asked = ['a', 'b', 'a'].map((key) => loader.load(key));

    expect(await Promise.all(asked)).toEqual(['a valid', 'b valid', 'a valid']);
    expect(reads).toEqual([['a', 'b']]);
  });

  it('begins after all who share the read have asked', async () => {
    const before = loader.load('a');
    state = 'revoked';
    const after = loader.load('a');

    expect([await before, await after]).toEqual(['a revoked', 'a revoked']);
  });

  it('lets nobody join a read that has begun', async () => {
    let finish = (_: Map<string, string>): void => undefined;
    const slow = new BatchLoader<string>(
      () =>
        new Promise<Map<string, string>>((resolve) => {
          finish = resolve;
        }),
    );
    const first = slow.load('a');
    await endOfTurn();
    const finishFirst = finish;
    const second = slow.load('a');
    await endOfTurn();
    finish(new Map([['a', 'revoked']]));
    finishFirst(new Map([['a', 'valid']]));

    expect(await second).toBe('revoked');
    expect(await first).toBe('valid');
  });

  it('fails all who share a read, and nobody after', async () => {
    state = 'gone';
    const both = await Promise.allSettled([loader.load('a'), loader.load('b')]);
    state = 'back';

    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await loader.load('a')).toBe('a back');
  });
});
