import { setImmediate as nextTurn } from 'node:timers/promises';
import { Pace, restAfter } from './tasks.js';

describe('A pace', () => {
  it('lets pieces have their turns one after the other, and goes on after one that failed', async () => {
    const pace = new Pace();
    const seen: string[] = [];
    const piece = (name: string) => async () => {
      seen.push(`${name} begins`);
      await nextTurn();
      seen.push(`${name} ends`);
      if (name === 'b') throw new Error('no');
      return name;
    };

    const done = await Promise.allSettled(['a', 'b', 'c'].map((name) => pace.piece(piece(name))));

    expect(seen).toEqual(['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]));
    expect(done.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('rests before the next piece, and not after the last one', async () => {
    const pace = new Pace();
    let turns = 0;
    const seen: number[] = [];
    const piece = () => {
      seen.push(turns);
      setImmediate(() => turns++);
      return Promise.resolve();
    };

    await pace.piece(piece);
    expect(turns).toBe(0);
    await pace.piece(piece);

    expect(seen).toEqual([0, 1]);
  });

  it('rests the longer the more others need, and as long as it took when others are there', () => {
    expect(restAfter(5, 5, 0)).toBe(2);
    expect(restAfter(5, 20, 0)).toBe(2);
    expect(restAfter(5, 20, 0.1)).toBe(20);
    expect(restAfter(5, 5, 0.6)).toBeCloseTo(15);
    expect(restAfter(5, 5, 1)).toBeCloseTo(95);
    expect(restAfter(5, 60_000, 0.1)).toBe(5_000);
  });

  it('leaves out what is aborted before its turn', async () => {
    const pace = new Pace();
    const end = new AbortController();
    const first = pace.piece(() => {
      end.abort();
      return Promise.resolve(1);
    }, end.signal);

    const second = pace.piece(() => Promise.resolve(2), end.signal);

    expect((await first)?.result).toBe(1);
    expect(await second).toBeNull();
  });
});
