import { likenessOf, type LearntCount } from './likeness.js';

const TOTAL = { spam: 100, ham: 100 };
const words = (known: Record<string, LearntCount>) => new Map(Object.entries(known));
const many = (count: number, each: LearntCount) =>
  words(Object.fromEntries(Array.from({ length: count }, (_, n) => [`w${n}`, each])));

describe('What words say of a submission', () => {
  it('is nothing when none of them was seen', () => {
    expect(likenessOf(new Map(), TOTAL)).toEqual({ probability: 0.5, telling: [] });
  });

  it('comes near to certainty with words of one kind alone, either way', () => {
    expect(likenessOf(many(10, { spam: 20, ham: 0 }), TOTAL).probability).toBeGreaterThan(0.995);
    expect(likenessOf(many(10, { spam: 0, ham: 20 }), TOTAL).probability).toBeLessThan(0.005);
  });

  it('stays in the middle where as much speaks for as against', () => {
    const both = new Map([
      ...many(10, { spam: 20, ham: 0 }),
      ...[...many(10, { spam: 0, ham: 20 })].map(([word, count]) => [`x${word}`, count] as const),
    ]);
    expect(likenessOf(both, TOTAL).probability).toBeCloseTo(0.5, 5);
  });

  it('takes the share of each kind, not the number', () => {
    const { telling } = likenessOf(many(1, { spam: 10, ham: 10 }), { spam: 20, ham: 200 });
    expect(telling).toEqual(['w0']);
  });

  it('names the most telling words first, and only those that say spam', () => {
    const { telling } = likenessOf(
      words({
        meeting: { spam: 0, ham: 30 },
        rich: { spam: 3, ham: 0 },
        casino: { spam: 30, ham: 0 },
        the: { spam: 50, ham: 50 },
      }),
      TOTAL,
    );
    expect(telling).toEqual(['casino', 'rich']);
  });

  it('is not moved by a single word that was seen once', () => {
    expect(likenessOf(many(1, { spam: 1, ham: 0 }), TOTAL).probability).toBeLessThan(0.9);
  });
});
