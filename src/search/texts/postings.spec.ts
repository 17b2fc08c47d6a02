import fc from 'fast-check';
import { BLOCK_ROWS, GROUP_ROWS, groupsWith, partsFor, Postings, trigramsOf } from './postings.js';

const LAST = BLOCK_ROWS / GROUP_ROWS - 1;
const groupOf = (position: number) => Math.floor(position / GROUP_ROWS);
/** Asks a block as a search does, which reads no other parts. */
const ask = (all: ReadonlyMap<number, Buffer>, word: string) => {
  const grams = trigramsOf(Buffer.from(word));
  const parts = partsFor(grams).map((part) => [part, all.get(part) ?? Buffer.alloc(0)] as const);
  return groupsWith(grams, new Map(parts));
};

describe('The postings of a block', () => {
  it('name exactly the groups whose texts have all three bytes in a row of the words', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.array(fc.constantFrom('a', 'b', 'é', '漢'), { maxLength: 12 }).map((all) => all.join('')),
    );
    const at = fc.integer({ min: 0, max: BLOCK_ROWS - 1 });
    const some = fc.uniqueArray(fc.tuple(at, text), { selector: ([n]) => n, maxLength: 200 });
    fc.assert(
      fc.property(some, fc.array(text, { maxLength: 5 }), (texts, others) => {
        const postings = new Postings();
        const inGroups = new Map<number, Set<number>>();
        for (const [position, value] of texts.sort(([a], [b]) => a - b)) {
          postings.add(position, Buffer.from(value));
          const grams = inGroups.get(groupOf(position)) ?? new Set();
          for (const gram of trigramsOf(Buffer.from(value))) grams.add(gram);
          inGroups.set(groupOf(position), grams);
        }
        const parts = new Map(postings.parts());
        for (const word of [...others, ...texts.map(([, value]) => value.slice(1, 12))]) {
          const grams = trigramsOf(Buffer.from(word));
          if (grams.length === 0) continue;
          const expected = [...inGroups].flatMap(([group, has]) =>
            grams.every((gram) => has.has(gram)) ? [group] : [],
          );
          expect(ask(parts, word)).toEqual(expected);
        }
      }),
    );
  });

  it.each([1, 2, 3, 4, 7, 30, 100, 500])(
    'are read as they were written where a trigram is in one of %i groups',
    (every) => {
      const postings = new Postings();
      const groups: number[] = [];
      for (let position = 0; position < BLOCK_ROWS; position++) {
        const group = groupOf(position);
        const has = group % every === every - 1 || group === LAST;
        postings.add(position, Buffer.from(has ? 'xyz' : 'none'));
        if (has && groups.at(-1) !== group) groups.push(group);
      }
      const parts = new Map(postings.parts());
      // What nearly all groups have is kept as what all may have.
      expect(ask(parts, 'xyz')).toEqual(every === 1 ? null : groups);
      expect(ask(parts, 'wxyz')).toEqual([]);
    },
  );

  it('name a group of a text that is not kept whatever the word, and no other one', () => {
    const postings = new Postings();
    postings.add(17, Buffer.from('wedding cake'));
    postings.add(BLOCK_ROWS - 1, null);
    const parts = new Map(postings.parts());
    expect(ask(parts, 'zebra')).toEqual([LAST]);
    expect(ask(parts, 'cake')).toEqual([groupOf(17), LAST]);
  });

  it('say nothing where most texts are not kept, or a part is missing', () => {
    const postings = new Postings();
    for (let position = 0; position < BLOCK_ROWS; position++) postings.add(position, null);
    expect(ask(new Map(postings.parts()), 'zebra')).toBeNull();
    expect(groupsWith(trigramsOf(Buffer.from('zebra')), new Map())).toBeNull();
  });

  it('tell when they should take no further texts', () => {
    const postings = new Postings();
    const long = Buffer.from(Array.from({ length: 16_384 }, (_, n) => n % 251));
    let count = 0;
    for (; !postings.isFull && count < BLOCK_ROWS; count++) {
      for (let at = 0; at < long.length; at += 2) long[at] = (at * 7 + count) % 256;
      postings.add(count, long);
    }
    expect(count).toBeLessThan(BLOCK_ROWS);
  });

  it('know no trigrams in what is too short', () => {
    expect(trigramsOf(Buffer.from('ab'))).toEqual([]);
    expect(trigramsOf(Buffer.from('abc'))).toHaveLength(1);
  });
});
