import { isPattern, PatternMatcher } from './field.js';

describe('A pattern', () => {
  it.each([
    ...['a|bc', '\\p{L}+', '[\\]{9}(|]{1,9}', '(?:[a-z]{2,40}-){1,10}', 'a{499}', '.{0,490}'],
    ...['(?<year>\\d{4})', '[\\p{L} ]{1,400}', '(?:a?){480}', '(?:(?:a{10}){10}){9}'],
  ])('can be %s', async (text) => {
    expect(await isPattern(text)).toBe(true);
  });

  it.each([
    ...['(a', '(?=a)b', '(a)\\1', 'a{1001}', '(?:a{100}){100}', 'x{1000}', 'x'.repeat(1_001)],
    ...['x{1000}'.repeat(70), '(?:a{0,30}){30}', '[ab]*a[ab]{1000}'],
  ])('cannot be case %#', async (text) => {
    expect(await isPattern(text)).toBe(false);
  });
});

describe('The values of a submission', () => {
  it('are matched while the time for all of them lasts, and count as matching then', () => {
    const matcher = new PatternMatcher();
    expect(matcher.matches('\\d+', 'x'.repeat(100_000))).toBe(false);
    expect(matcher.matches('[ab]*a[ab]{490}', 'ab')).toBe(false);
    expect(matcher.isCut).toBe(false);

    expect(matcher.matches('[ab]*a[ab]{490}', 'x'.repeat(100_000))).toBe(true);
    expect(matcher.matches('\\d+', 'x')).toBe(true);
    expect(matcher.isCut).toBe(true);
  });

  it('are not matched with more patterns than can be compiled in that time', () => {
    const matcher = new PatternMatcher();
    const results = Array.from({ length: 60 }, (_, n) => matcher.matches(`a{400}b{${n}}`, 'c'));
    expect(results.slice(0, 10)).toEqual(Array(10).fill(false));
    expect(results.at(-1)).toBe(true);
  });

  it('are matched as before by a pattern that others have taken the place of', () => {
    for (let n = 0; n < 300; n++) new PatternMatcher().matches(`a{${n}}`, 'a');
    expect(new PatternMatcher().matches('a{1}', 'a')).toBe(true);
    expect(new PatternMatcher().matches('a{2}', 'a')).toBe(false);
  });
});
