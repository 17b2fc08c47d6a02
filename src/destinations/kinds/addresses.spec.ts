import fc from 'fast-check';
import { aroundAddresses, piecesOf, escapedMarkdown } from './addresses.js';

const addressesOf = (text: string) =>
  piecesOf(text).flatMap(({ text: piece, isAddress }) => (isAddress ? [piece] : []));

describe('The addresses of a text', () => {
  it.each([
    ['https://example.com/my_page_one?a=b_c', ['https://example.com/my_page_one?a=b_c']],
    ['See https://a.example/x, or (http://b.example).', ['https://a.example/x', 'http://b.example']],
    ['https://a.example/wiki/A_(b) and more', ['https://a.example/wiki/A_(b)']],
    ['HTTPS://A.example/Ü!', ['HTTPS://A.example/Ü']],
    ['https:// and http://[ and ftp://a.example', []],
  ])('of %j are %j', (text, addresses) => {
    expect(addressesOf(text)).toEqual(addresses);
  });

  it('and what stands around them are all of it', () => {
    const part = fc.constantFrom('https://a.example/b_c', ' ', '.', ')', '(', '_x_', '\n', '…');
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const text = parts.join('');
        const pieces = piecesOf(text);
        expect(pieces.map((piece) => piece.text).join('')).toBe(text);
        expect(pieces.every((piece) => piece.text !== '')).toBe(true);
        expect(aroundAddresses(text, (around) => around)).toBe(text);
      }),
    );
  });
});

it.each([
  ['this is _not_ *it*', 'this is \\_not\\_ \\*it\\*'],
  ['a_b https://a.example/c_d?e=f_g h_i', 'a\\_b https://a.example/c_d?e=f_g h\\_i'],
  ['- one\n  + two\n3. three\n4) four', '\\- one\n  \\+ two\n3\\. three\n4\\) four'],
  ['# Title\n> quoted\n--- \n1.5 -2', '\\# Title\n\\> quoted\n\\--- \n1\\.5 -2'],
  ['[a](https://a.example/b) `c` ||d||', '\\[a\\]\\(https://a.example/b\\) \\`c\\` \\|\\|d\\|\\|'],
])('Escaped Markdown of %j', (text, escaped) => {
  expect(escapedMarkdown(text)).toBe(escaped);
});
