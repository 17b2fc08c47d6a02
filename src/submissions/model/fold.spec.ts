import fc from 'fast-check';
import { fold } from './visitor-address.js';

describe('A folded text', () => {
  it.each([
    ['CAFÉ', 'cafe\u0301'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['\u212b', 'å'],
    ['STRAẞE', 'straße'],
  ])('%j is the same as %j', (a, b) => {
    expect(fold(a)).toBe(fold(b));
  });

  it('is of whole characters, and folded again the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const folded = fold(text);
        expect(folded.isWellFormed()).toBe(true);
        expect(fold(folded)).toBe(folded);
        expect(fold(text.normalize('NFD'))).toBe(folded);
      }),
      { numRuns: 2_000 },
    );
  });
});
