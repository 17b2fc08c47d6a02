import { pageOrigin } from './page-origin.js';

describe('The origin of a page', () => {
  it.each<[string | undefined, string | undefined, string | null]>([
    [undefined, undefined, null],
    ['null', undefined, null],
    ['https://a.test', 'https://b.test/', 'https://a.test'],
    ['null', 'https://b.test/x', null],
    [undefined, 'https://b.test/x', 'https://b.test'],
    [undefined, 'https://user:pass@b.test:443/x#y', 'https://b.test'],
    ['file:///a', 'about:blank', null],
    ['HTTPS://A.test:8443', undefined, 'https://a.test:8443'],
  ])('with the origin %s and the referer %s is %s', (origin, referer, found) => {
    expect(pageOrigin(origin, referer)).toBe(found);
  });
});
