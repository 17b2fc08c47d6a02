import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BLOCK_ROWS, positionsIn, SliceMatrix, slicesOf, SLICES } from './slices.js';

describe('The slices of a block', () => {
  it('suspect every text that has the bytes', () => {
    const text = fc.string({ unit: 'binary', maxLength: 60 });
    const at = fc.integer({ min: 0, max: BLOCK_ROWS - 1 });
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(at, text), { selector: ([n]) => n }), (texts) => {
        const matrix = new SliceMatrix();
        for (const [position, value] of texts) matrix.add(position, Buffer.from(value));
        for (const [position, value] of texts) {
          const part = Buffer.from(value).subarray(1, 12);
          const slices = [...slicesOf(part)].map((slice) => matrix.slice(slice));
          if (slices.length > 0) expect(positionsIn(slices)).toContain(position);
        }
      }),
    );
  });

  it('suspect a text that is not there of anything, and no other one', () => {
    const matrix = new SliceMatrix();
    matrix.add(4_095, null);
    matrix.add(17, Buffer.from('wedding cake'));
    const of = (text: string) =>
      positionsIn([...slicesOf(Buffer.from(text))].map((slice) => matrix.slice(slice)));
    expect(of('zebra')).toEqual([4_095]);
    expect(of('cake')).toEqual([17, 4_095]);
  });

  it('are numbers below their count, and none for what is too short', () => {
    const slices = slicesOf(Buffer.from('漢字 and all the other letters of ABC'));
    for (const slice of slices) expect(slice).toBeLessThan(SLICES);
    expect(slicesOf(Buffer.from('ab')).size).toBe(0);
  });
});
