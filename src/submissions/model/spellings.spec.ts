import fc from 'fast-check';
import { fold } from './visitor-address.js';
import { hasAll, spellingsOf } from './submitted-values.js';

const isFound = (word: string, text: string) => hasAll(fold(text), spellingsOf([word]));

describe('The spellings of a word', () => {
  it.each([
    ['cake', ['cake']],
    ['mass', ['mass', 'maß']],
    ['MAẞE', ['maße', 'masse']],
    ['gruesse', ['gruesse', 'grüße', 'grueße', 'grüsse']],
    ['mas', ['mas']],
    ['sss', ['sss', 'ßs']],
  ])('of %j are %j', (word, expected) => {
    const [spellings = []] = spellingsOf([word]);
    expect([spellings[0], [...spellings].sort()]).toEqual([fold(word), [...expected].sort()]);
  });

  it.each([
    ['gruesse', 'Grüße'],
    ['ueberfuesse aeoe', 'Überfüße äö'],
    ['Überfüße äöß', 'UEBERFUESSE AEOESS'],
  ])('find by %j the text %j', (word, text) => {
    expect(isFound(word, text)).toBe(true);
  });

  it('are eight at most, and fifty of a line, each as long as the word, and no word is lost', () => {
    const word = fc
      .array(fc.constantFrom('ae', 'oe', 'ue', 'ss', 'ä', 'ß', 'x'), { minLength: 1, maxLength: 9 })
      .map((all) => all.join(''));
    fc.assert(
      fc.property(fc.array(word, { maxLength: 50 }), (words) => {
        const all = spellingsOf(words);
        expect(all.flat().length).toBeLessThanOrEqual(50);
        expect(all.map(([first]) => first)).toEqual([...new Set(words)]);
        for (const spellings of all) {
          expect(spellings.length).toBeLessThanOrEqual(8);
          expect(new Set(spellings.map((text) => Buffer.byteLength(text))).size).toBe(1);
        }
      }),
    );
    expect(spellingsOf(['aeoeuess'])[0]).toHaveLength(8);
  });
});
