import fc from 'fast-check';
import { LENGTHS, stretchesOf } from './sums.js';

describe('Stretches', () => {
  it('are each hour of a span, once', () => {
    const hour = fc.integer({ min: 0, max: 5_000 });
    fc.assert(
      fc.property(hour, hour, (one, other) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other)];
        const hours = stretchesOf(from, to).flatMap(({ length, from: begin, to: end }) => {
          expect(begin % length).toBe(0);
          expect(end % length).toBe(0);
          return Array.from({ length: end - begin }, (_, n) => begin + n);
        });
        expect(hours).toEqual(Array.from({ length: to - from }, (_, n) => from + n));
      }),
    );
  });

  it('read few rows of a long span', () => {
    const day = 24;
    const rows = stretchesOf(3, 3 + 4_000 * day).reduce((sum, { length, from, to }) => sum + (to - from) / length, 0);
    expect(stretchesOf(3, 3 + 4_000 * day).length).toBeLessThanOrEqual(2 * LENGTHS.length - 1);
    expect(rows).toBeLessThan(125 + 2 * 32 + 2 * day);
  });
});
