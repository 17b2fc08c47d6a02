import { siteAddressOf, siteHostOf } from './addresses.js';

describe('A host that shows pages of a site', () => {
  it.each([
    ['site-example.translate.goog', 'site.example'],
    ['www-my--shop-co-uk.translate.goog', 'www.my-shop.co.uk'],
    ['site-example.cdn.ampproject.org', 'site.example'],
    ['my--shop-example.bing-amp.com', 'my-shop.example'],
    ['xn---com-p33b41770a.cdn.ampproject.org', 'xn--57hw060o.com'],
  ])('%s stands for %s', (host, site) => {
    expect(siteHostOf(host)).toBe(site);
  });

  it.each([
    'site.example',
    'site-example.translate.goog.evil.example',
    'site-exampletranslate.goog',
    'translate.goog',
    'site.translate.goog',
    'site---example.translate.goog',
    '-site-example.translate.goog',
    'site-example.ampproject.org',
    'xn--.translate.goog',
  ])('is not %s', (host) => {
    expect(siteHostOf(host)).toBe(host);
  });

  it('shows addresses of the site', () => {
    const at = (address: string) => siteAddressOf(address);
    expect(at('https://site-example.translate.goog')).toBe('https://site.example');
    expect(at('https://site-example.translate.goog/a?b#c')).toBe('https://site.example/a?b#c');
    for (const other of [
      'http://site-example.translate.goog/',
      'https://site-example.translate.goog:8443/',
      'https://a@site.example/',
      'nonsense',
    ]) {
      expect(at(other)).toBe(other);
    }
  });
});
