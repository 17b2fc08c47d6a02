import { describe, expect, it } from '@jest/globals';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { SingleFlight } from './single-flight.js';

/** Counts how often it was read; each read finds its number. */
function counting() {
  const reads = { begun: 0, read: () => Promise.resolve(++reads.begun) };
  return reads;
}

describe('Shared reads', () => {
  it('are one for all who ask in the same turn', async () => {
    const shared = new SingleFlight<number>();
    const reads = counting();
    const asked = [1, 2, 3].map(() => shared.run('a', reads.read));
    expect(await Promise.all(asked)).toEqual([1, 1, 1]);
  });

  it('begin after all who share them have asked', async () => {
    const shared = new SingleFlight<string>();
    let state = 'valid';
    const read = () => Promise.resolve(state);
    const before = shared.run('a', read);
    state = 'revoked';
    const after = shared.run('a', read);
    expect([await before, await after]).toEqual(['revoked', 'revoked']);
  });

  it('are not joined once they have begun', async () => {
    const shared = new SingleFlight<string>();
    let finish = (_: string): void => undefined;
    const first = shared.run('a', () => new Promise((resolve) => (finish = resolve)));
    await endOfTurn();
    const second = shared.run('a', () => Promise.resolve('revoked'));
    expect(await second).toBe('revoked');
    finish('valid');
    expect(await first).toBe('valid');
  });

  it('of different things are different', async () => {
    const shared = new SingleFlight<number>();
    const reads = counting();
    const asked = ['a', 'b'].map((key) => shared.run(key, reads.read));
    expect(await Promise.all(asked)).toEqual([1, 2]);
  });

  it('fail all who share them, and nobody after', async () => {
    const shared = new SingleFlight<string>();
    const gone = () => Promise.reject(new Error('gone'));
    const both = await Promise.allSettled([shared.run('a', gone), shared.run('a', gone)]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await shared.run('a', () => Promise.resolve('back'))).toBe('back');
  });
});
