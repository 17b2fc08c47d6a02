import { describe, expect, it } from '@jest/globals';
import { SharedReads } from './shared-reads.js';

/** Reads that end when they are told to. */
function readsByHand() {
  const begun: ((value: string | Error) => void)[] = [];
  const read = () =>
    new Promise<string>((resolve, reject) => {
      begun.push((value) => {
        if (value instanceof Error) reject(value);
        else resolve(value);
      });
    });
  return { begun, read };
}

/** Lets everything happen that waits for nothing else. */
async function settle() {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}

describe('Shared reads', () => {
  it('begin at once when nobody is reading', () => {
    const { begun, read } = readsByHand();
    void new SharedReads<string>().get('a', read);
    expect(begun).toHaveLength(1);
  });

  it('give nobody what was read before they asked', async () => {
    const { begun, read } = readsByHand();
    const shared = new SharedReads<string>();
    const first = shared.get('a', read);
    const second = shared.get('a', read);
    begun[0]?.('old');
    expect(await first).toBe('old');
    await settle();
    begun[1]?.('new');
    expect(await second).toBe('new');
  });

  it('are one for all who come while another runs', async () => {
    const { begun, read } = readsByHand();
    const shared = new SharedReads<string>();
    const first = shared.get('a', read);
    const others = [shared.get('a', read), shared.get('a', read), shared.get('a', read)];
    begun[0]?.('old');
    await first;
    await settle();
    expect(begun).toHaveLength(2);
    begun[1]?.('new');
    expect(await Promise.all(others)).toEqual(['new', 'new', 'new']);
  });

  it('of different things do not wait for each other', () => {
    const { begun, read } = readsByHand();
    const shared = new SharedReads<string>();
    void shared.get('a', read);
    void shared.get('b', read);
    expect(begun).toHaveLength(2);
  });

  it('fail only those who share them', async () => {
    const { begun, read } = readsByHand();
    const shared = new SharedReads<string>();
    const first = shared.get('a', read);
    const second = shared.get('a', read);
    begun[0]?.(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    await settle();
    begun[1]?.('back');
    expect(await second).toBe('back');
  });

  it('do not wait long for one that does not end', async () => {
    const { begun, read } = readsByHand();
    const shared = new SharedReads<string>();
    void shared.get('a', read);
    const second = shared.get('a', () => Promise.resolve('beside it'));
    expect(await second).toBe('beside it');
    expect(begun).toHaveLength(1);
  });

  it('keep nothing once nobody reads', async () => {
    const { begun, read } = readsByHand();
    const shared = new SharedReads<string>();
    const first = shared.get('a', read);
    begun[0]?.('old');
    await first;
    await settle();
    void shared.get('a', read);
    expect(begun).toHaveLength(2);
  });
});
