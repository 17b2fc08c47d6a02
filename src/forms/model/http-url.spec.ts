import { parseHttpUrl, URL_MAX_LENGTH } from './http-url.js';
import { cpuMs } from '../../../test/support/cpu-time.js';

const longest = 'https://example.com/'.padEnd(URL_MAX_LENGTH, 'a');

describe('A URL', () => {
  it.each([
    ['https://example.com/thanks?a=1&b=2#c'],
    ['HTTPS://Example.com/Path'],
    ['http://[::1]:8080/hook'],
    ['https://müller.example/ä?ö=ü'],
    [longest],
  ])('%j is kept as it was written', (url) => {
    expect(parseHttpUrl(url)).toBe(url);
  });

  it('loses the blanks around it', () => {
    expect(parseHttpUrl('  https://example.com/\n')).toBe('https://example.com/');
  });

  it.each([
    [''],
    ['example.com'],
    ['/thanks'],
    ['https://'],
    ['https:///example.com'],
    ['javascript:alert(1)'],
    ['https://user@example.com'],
    ['https://:secret@example.com'],
    ['https://example.com:99999'],
    ['https://example.com/a b'],
    ['https://example.com/\\evil'],
    ['https://example.com/\r\nX: y'],
    [`${longest}a`],
    [null],
    [['https://example.com']],
  ])('%j is refused (S-09)', (written) => {
    expect(parseHttpUrl(written)).toBeNull();
  });

  it('of 100 kB is refused at once (O-11)', () => {
    for (const piece of ['a', '/', ' ', '\\', '@', '.', '%', '[', 'http://']) {
      const text = piece.repeat(100_000 / piece.length);
      const begin = cpuMs();
      expect(parseHttpUrl(text)).toBeNull();
      expect(parseHttpUrl(`https://${text}`)).toBeNull();
      expect(cpuMs() - begin).toBeLessThan(1_000);
    }
  });
});
