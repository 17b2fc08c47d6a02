import { parseUrl } from './parse-url.js';

it('reads an address with umlauts however often', () => {
  const texts = ['https://müller.example/grüße', 'https://example.com/'];
  const read = Array.from({ length: 100_000 }, (_, i) => parseUrl(texts[i % 2])?.hostname);

  expect([...new Set(read)]).toEqual(['xn--mller-kva.example', 'example.com']);
});

it.each(['', 'example.com', 'https://', 'https://a b', null, 7])(
  'reads %j as no address',
  (text) => {
    expect(parseUrl(text)).toBeNull();
  },
);
