import { parseSecureUrl, parseUrl, parseWebUrl } from './addresses.js';

it('reads an address with umlauts however often', () => {
  const texts = ['https://müller.example/grüße', 'https://example.com/'];
  const read = Array.from({ length: 100_000 }, (_, i) => parseUrl(texts[i % 2])?.hostname);

  expect([...new Set(read)]).toEqual(['xn--mller-kva.example', 'example.com']);
});

it.each(['', 'example.com', 'https://', 'https://a b', null, 7])('reads %j as no address', (text) => {
  expect(parseUrl(text)).toBeNull();
});

it.each([
  ['https://example.com/', true, true],
  ['http://example.com/', true, false],
  ['http://[::1]:8080/', true, true],
  ['http://localhost/', true, true],
  ['ftp://localhost/', false, false],
  ['mailto:ann@example.com', false, false],
  [null, false, false],
])('tells of %s whether it is of the web (%s), and whether secrets may go there (%s)', (text, web, secure) => {
  expect(parseWebUrl(text) !== null).toBe(web);
  expect(parseSecureUrl(text) !== null).toBe(secure);
});
