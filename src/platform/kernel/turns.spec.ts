import { setImmediate as nextTurn } from 'node:timers/promises';
import { Turns } from './turns.js';

async function* numbers(name: string, seen: string[], closed: string[]): AsyncGenerator<number> {
  try {
    for (let n = 0; ; n++) {
      seen.push(`${name} begins`);
      await nextTurn();
      seen.push(`${name} ends`);
      yield n;
    }
  } finally {
    closed.push(name);
  }
}

describe('Turns', () => {
  it('let as many run as they may, and the others in the order they came', async () => {
    const turns = new Turns(2);
    const seen: string[] = [];
    const work = (name: string) =>
      turns.run(async () => {
        seen.push(`${name} begins`);
        await nextTurn();
        seen.push(`${name} ends`);
      });

    await Promise.all(['a', 'b', 'c', 'd'].map(work));

    expect(seen.slice(0, 3)).toEqual(['a begins', 'b begins', 'a ends']);
    expect(seen.filter((each) => each.endsWith('begins')).map(([name]) => name)).toEqual([...['a', 'b', 'c', 'd']]);
  });

  it('go on after work that failed', async () => {
    const turns = new Turns(1);
    await expect(turns.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await turns.run(() => Promise.resolve('yes'))).toBe('yes');
  });

  it('are taken for each piece, and not held while it is used', async () => {
    const turns = new Turns(1);
    const [seen, closed] = [[], []] as [string[], string[]];
    const read = async (name: string) => {
      for await (const n of turns.through(numbers(name, seen, closed))) {
        await nextTurn();
        if (n === 2) return;
      }
    };

    await Promise.all([read('a'), read('b')]);

    for (let at = 0; at < seen.length; at += 2) {
      expect(seen[at + 1]).toBe(seen[at]?.replace('begins', 'ends'));
    }
    expect(seen.slice(0, 4)).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
    expect(closed.sort()).toEqual(['a', 'b']);
  });
});
