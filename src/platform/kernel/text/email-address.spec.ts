import { parseEmailAddress, parseEmailList } from './addresses.js';
import { cpuMs } from '../../../../test/support/cpu-time.js';

describe('An email address', () => {
  it.each([
    ['a@example.com', 'a@example.com'],
    ['  a@example.com\n', 'a@example.com'],
    ['Jane.Doe@EXAMPLE.Com', 'Jane.Doe@example.com'],
    ['jane+forms@mail.example.co.uk', 'jane+forms@mail.example.co.uk'],
    ["o'brien@example.com", "o'brien@example.com"],
    ['jörg@example.com', 'jörg@example.com'],
    ['jane@müller.example', 'jane@müller.example'],
    [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
  ])('%j is read as %j', (written, read) => {
    expect(parseEmailAddress(written)).toBe(read);
  });

  it.each([
    [''],
    ['jane'],
    ['@example.com'],
    ['jane@localhost'],
    ['jane@@example.com'],
    ['jane@example..com'],
    ['.jane@example.com'],
    ['jane doe@example.com'],
    ['Jane <jane@example.com>'],
    ['"jane"@example.com'],
    ['"a@x y"@example.com'],
    ['a@example.com,b@example.com'],
    ['group:a@example.com;'],
    ['a@example.com\r\nBcc: b@example.com'],
    ['jane\ude00@example.com'],
    ['jane@[127.0.0.1]'],
    [`${'a'.repeat(65)}@example.com`],
    [`a@${'b.'.repeat(126)}example.com`],
    [null],
    [['a@example.com']],
  ])('%j is refused', (written) => {
    expect(parseEmailAddress(written)).toBeNull();
  });
});

it('Addresses of 100 kB are judged at once (O-11)', () => {
  for (const piece of ['a', '@', ' ', ',', '"', '(', 'a.', '[', 'a@', 'a,', '<a@b.c>']) {
    const text = piece.repeat(100_000 / piece.length);
    for (const input of [text, `a@${text}`, `${text}@example.com`, `"${text}"@example.com`]) {
      const begin = cpuMs();
      parseEmailAddress(input);
      parseEmailList(input);
      expect(cpuMs() - begin).toBeLessThan(1_000);
    }
  }
});
