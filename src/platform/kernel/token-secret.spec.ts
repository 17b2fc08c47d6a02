import { hashSecret, isAcceptableSecret, isPlausibleSecret, mintSecret } from './token-secret.js';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe('A minted secret', () => {
  it('is fcs_ with 36 base62 characters, and never the same twice', () => {
    const secrets = Array.from({ length: 500 }, mintSecret);

    for (const secret of secrets) expect(secret).toMatch(/^fcs_[0-9A-Za-z]{36}$/);
    expect(new Set(secrets).size).toBe(secrets.length);
  });

  it('uses every character of the alphabet about equally often', () => {
    const counts = new Map<string, number>();
    for (let i = 0; i < 2000; i++) {
      for (const character of mintSecret().slice(4, 34)) {
        counts.set(character, (counts.get(character) ?? 0) + 1);
      }
    }

    const expected = (2000 * 30) / BASE62.length;
    expect([...counts.keys()].sort().join('')).toBe(BASE62);
    for (const count of counts.values()) {
      expect(count).toBeGreaterThan(expected * 0.8);
      expect(count).toBeLessThan(expected * 1.2);
    }
  });

  it('is recognised as plausible, and no longer when any one character is mistyped', () => {
    const secret = mintSecret();

    expect(isPlausibleSecret(secret)).toBe(true);
    for (let at = 4; at < secret.length; at++) {
      for (const other of BASE62.replace(secret.charAt(at), '')) {
        expect(isPlausibleSecret(secret.slice(0, at) + other + secret.slice(at + 1))).toBe(false);
      }
    }
  });

  it('is not plausible when cut or lengthened', () => {
    const secret = mintSecret();

    for (const wrong of [secret.slice(0, -1), `${secret}0`, `${secret}\n`, 'fcs_', '']) {
      expect(isPlausibleSecret(wrong)).toBe(false);
    }
  });
});

describe('A chosen secret', () => {
  it.each([
    ['the shortest', 'a'.repeat(24), true],
    ['too short', 'a'.repeat(23), false],
    ['the longest', 'a'.repeat(255), true],
    ['too long', 'a'.repeat(256), false],
    ['all characters of RFC 6750', 'abcXYZ0189-._~+/abcdefgh==', true],
    ['one of our own', mintSecret(), true],
    ['a line break at the end', `${'a'.repeat(24)}\n`, false],
    ['an equals sign inside', `${'a'.repeat(24)}=b`, false],
    ['another alphabet', 'ä'.repeat(24), false],
    ['our prefix with a wrong checksum', `fcs_${'a'.repeat(36)}`, false],
  ])('%s is acceptable: %s', (_, secret, expected) => {
    expect(isAcceptableSecret(secret)).toBe(expected);
  });
});

it('A digest is the SHA-256 of the secret', () => {
  // The vector "abc" of FIPS 180-2, appendix B.1.
  expect(hashSecret('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
