import { DOMAIN_LIST_MAX_LENGTH, parseDomainList } from './domain-list.js';
import { cpuMs } from '../../../test/support/cpu-time.js';

const label = 'a'.repeat(49);
const longest = Array.from({ length: 40 }, (_, i) => `${label.slice(String(i).length)}${i}`)
  .join(',')
  .padEnd(DOMAIN_LIST_MAX_LENGTH, 'a');

describe('A list of domains (S-08)', () => {
  it.each([
    ['example.com, www.example.com', 'example.com,www.example.com'],
    [['example.com', ' *.example.com '], 'example.com,*.example.com'],
    ['EXAMPLE.com', 'example.com'],
    ['example.com,Example.com', 'example.com'],
    ['HTTPS://WWW.Example.com/', 'https://www.example.com'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['https://example.com:443', 'https://example.com'],
    ['http://[::1]:8080', 'http://[::1]:8080'],
    ['127.0.0.1', '127.0.0.1'],
    ['müller.example', 'xn--mller-kva.example'],
    ['*.müller.example', '*.xn--mller-kva.example'],
    ['my_host.example.com', 'my_host.example.com'],
    [longest, longest],
  ])('%j is read as %j', (written, read) => {
    expect(parseDomainList(written)).toBe(read);
  });

  it.each([
    [''],
    [[]],
    [['']],
    ['*'],
    ['*.'],
    ['**.example.com'],
    ['example.com:8080'],
    ['example.com?x'],
    ['https://user@example.com'],
    ['https://example.com?x'],
    ['https://*.example.com'],
    ['ftp://example.com'],
    ['://example.com'],
    ['exa mple.com'],
    ['-example.com'],
    ['null'.repeat(70)],
    [`${longest}a`],
    [null],
    [[['example.com']]],
  ])('%j is refused', (written) => {
    expect(parseDomainList(written)).toBeNull();
  });

  it('has no more entries than a list of the greatest length can hold', () => {
    expect(parseDomainList(Array.from({ length: 1000 }, () => 'a'))).toBe('a');
    expect(parseDomainList(Array.from({ length: 1001 }, () => 'a'))).toBeNull();
  });

  it('of 100 kB is refused at once (O-11)', () => {
    for (const piece of ['a', '.', 'a.', '-', '*.', ' ', '@', '://', '[', 'a-', 'a,', ',']) {
      const begin = cpuMs();
      expect(parseDomainList(piece.repeat(100_000 / piece.length))).toBeNull();
      expect(cpuMs() - begin).toBeLessThan(1_000);
    }
  });
});
