import { describe, expect, it } from '@jest/globals';
import { Pace, restAfter } from './pace.js';

describe('A pace', () => {
  it('goes on while there is more, with turns of others between', async () => {
    let turns = 0;
    const seen: number[] = [];
    await new Pace().through(() => {
      seen.push(turns);
      setImmediate(() => turns++);
      return Promise.resolve(seen.length < 3);
    });
    expect(seen).toEqual([0, 1, 2]);
  });

  it('rests the longer the more others need, and for work that waits for a server less', () => {
    expect(restAfter(5, 5, 0)).toBe(2);
    expect(restAfter(5, 5, 0.6)).toBeCloseTo(15);
    expect(restAfter(5, 5, 1)).toBeCloseTo(95);
    expect(restAfter(5, 20, 0.6)).toBe(2);
  });

  it('ends between two pieces when it is told to', async () => {
    const end = new AbortController();
    let pieces = 0;
    await new Pace().through(() => {
      pieces++;
      end.abort();
      return Promise.resolve(true);
    }, end.signal);
    expect(pieces).toBe(1);
  });
});
