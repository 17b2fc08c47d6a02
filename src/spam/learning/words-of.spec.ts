import { WORDS_MAX, wordsOf } from './words-of.js';

const of = (text: string, name = 'message') => wordsOf([{ name, text }]);

describe('The words of a submission', () => {
  it('are those in it in lower case, each once, without single letters', () => {
    expect(of('Buy a watch! BUY a Watch. It’s cheap, isn’t it? Truly')).toEqual([
      'links:0',
      ...['buy', 'watch', 'it’s', 'cheap', 'isn’t', 'it', 'truly'],
    ]);
  });

  it('are short values with their field, and hosts of links and addresses, not the rest of them', () => {
    expect(of('SEO offer', 'subject')).toContain('subject=seo offer');
    expect(of('See https://www.Shop.example/a?b=c and http://x.example now')).toEqual(
      expect.arrayContaining(['host:shop.example', 'host:x.example', 'links:2', 'see', 'now']),
    );
    const found = of('Write to jane.doe@mail.example about it, please do');
    expect(found).toContain('host:mail.example');
    expect(found).not.toContain('jane.doe');
    expect(found).not.toContain('jane');
  });

  it('are pairs of letters where a script has no blanks', () => {
    expect(of('予約希望です')).toEqual(expect.arrayContaining(['予約', '約希', '希望', '望で', 'です']));
  });

  it('are the same however letters are written', () => {
    expect(of('ＣＡＳＩＮＯ cafe\u0301')).toEqual(of('casino café'));
  });

  it('are bounded, and so is the time that they take', () => {
    const long = Array.from({ length: 100_000 }, (_, n) => `w${n}`).join(' ');
    expect(of(long)).toHaveLength(WORDS_MAX);
    const nasty = ['@'.repeat(1e6), 'http://'.repeat(1e5), '’-'.repeat(1e6), 'a.'.repeat(1e6)];
    for (const text of nasty) expect(of(text).length).toBeLessThanOrEqual(WORDS_MAX);
    expect(of('x'.repeat(25))).toEqual(['links:0']);
  });
});
