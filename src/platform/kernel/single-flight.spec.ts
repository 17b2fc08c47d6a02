import { describe, expect, it } from '@jest/globals';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { SharedReads } from './single-flight.js';

/** Counts how often it was read; each read finds its number. */
function counting() {
  const reads = { begun: 0, read: () => Promise.resolve(++reads.begun) };
  return reads;
}

describe('Shared reads', () => {
  it('are one for all who ask in the same turn', async () => {
    const shared = new SharedReads<number>();
    const reads = counting();
    const asked = [1, 2, 3].map(() => shared.get('a', reads.read));
    expect(await Promise.all(asked)).toEqual([1, 1, 1]);
  });

  it('begin after all who share them have asked', async () => {
    const shared = new SharedReads<string>();
    let state = 'valid';
    const read = () => Promise.resolve(state);
    const before = shared.get('a', read);
    state = 'revoked';
    const after = shared.get('a', read);
    expect([await before, await after]).toEqual(['revoked', 'revoked']);
  });

  it('are not joined once they have begun', async () => {
    const shared = new SharedReads<string>();
    let finish = (_: string): void => undefined;
    const first = shared.get('a', () => new Promise((resolve) => (finish = resolve)));
    await endOfTurn();
    const second = shared.get('a', () => Promise.resolve('revoked'));
    expect(await second).toBe('revoked');
    finish('valid');
    expect(await first).toBe('valid');
  });

  it('of different things are different', async () => {
    const shared = new SharedReads<number>();
    const reads = counting();
    const asked = ['a', 'b'].map((key) => shared.get(key, reads.read));
    expect(await Promise.all(asked)).toEqual([1, 2]);
  });

  it('fail all who share them, and nobody after', async () => {
    const shared = new SharedReads<string>();
    const gone = () => Promise.reject(new Error('gone'));
    const both = await Promise.allSettled([shared.get('a', gone), shared.get('a', gone)]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await shared.get('a', () => Promise.resolve('back'))).toBe('back');
  });
});
