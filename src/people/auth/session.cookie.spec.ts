import { parseLocalPath } from './session.cookie.js';

describe('Where to go on after the sign-in', () => {
  it.each([
    ['/', '/'],
    ['/forms/1?page=2', '/forms/1?page=2'],
    ['/a/../b', '/b'],
  ])('may be %s', (value, path) => {
    expect(parseLocalPath(value)).toBe(path);
  });

  it.each([
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    'https://evil.example',
    '',
    ' /forms',
    '/forms\r\nSet-Cookie: a=b',
    undefined,
    ['/forms'],
  ])('is never %j', (value) => {
    expect(parseLocalPath(value)).toBeNull();
  });
});
