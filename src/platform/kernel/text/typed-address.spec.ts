import { typedAddress } from './addresses.js';

describe('An address as people type it', () => {
  it.each([
    ['jane@example.com', 'jane@example.com'],
    ['"Doe, Jane" <jane@example.com>', 'jane@example.com'],
    ['"jane@example.com" <jane@example.com>,', 'jane@example.com'],
    ['Jane <jane@example.com', 'jane@example.com'],
    ['Jane <jane@example.com>; Bob <bob@example.com>', 'jane@example.com'],
    ['jane@example.com (Jane Doe)', 'jane@example.com'],
    ['jane@example.com,', 'jane@example.com'],
    ['"jane@example.com"', 'jane@example.com'],
    ['jane@example.com, bob@example.com', 'jane@example.com'],
    ['jane@example.com;\r\nbob@example.com;', 'jane@example.com'],
    ['MAILTO:jane@example.com?subject=Hi%20there', 'jane@example.com'],
    ['ｊａｎｅ＠ｅｘａｍｐｌｅ．ｃｏｍ', 'jane@example.com'],
    ['jane@example。com', 'jane@example.com'],
    ['jane.@ezweb.ne.jp', 'jane.@ezweb.ne.jp'],
    ['Jane <.jane@DOCOMO.ne.jp>', '.jane@docomo.ne.jp'],
    ['用户@例子.广告', '用户@例子.广告'],
  ])('%j is %s', (text, address) => {
    expect(typedAddress(text)).toBe(address);
  });

  it.each([
    '',
    'Jane',
    'Write to jane@example.com please',
    'jane@example.com (Jane) and more',
    'Jane <jane@example.com> wrote',
    'jane@example.com\r\nRCPT TO:<eve@example.com>',
    '<@>',
    'jane..doe@example.com',
    `${'x'.repeat(1_000)} <jane@example.com>`,
  ])('%j is none', (text) => {
    expect(typedAddress(text)).toBeNull();
  });
});
