import { assertGoodPassword } from './passwords.js';

const OWN = ['Grace Hopper', 'grace.hopper@example.com', 'Harbour Bakery'];

function verdict(password: string, hasSecondFactor = false): string {
  try {
    assertGoodPassword(password, OWN, hasSecondFactor);
    return 'taken';
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe('A new password', () => {
  it.each([
    'purple otters juggle at noon',
    'ein Fahrrad ohne Klingel',
    'пятнадцать зелёных слонов',
    'x7Kd9Qm2Vt5Rw8Zn',
  ])('may be %s', (password) => {
    expect(verdict(password)).toBe('taken');
  });

  it('has 15 characters, or 12 beside a second factor', () => {
    expect(verdict('otter juggles!')).toBe('password_too_short');
    expect(verdict('otter juggles!', true)).toBe('taken');
    expect(verdict('otterjuggle', true)).toBe('password_too_short');
  });

  it('is counted in characters and not cut: 256 bytes are taken, more are refused', () => {
    const long = 'An otter, juggling at noon: ';
    expect(verdict(long + 'é'.repeat(114))).toBe('taken');
    expect(verdict(long + 'é'.repeat(115))).toBe('password_too_long');
    expect(verdict('𝒳𝒴𝒵𝒜𝒱𝒲𝒰')).toBe('password_too_short');
  });

  it.each([
    'Password123456789!',
    'qwertyuiopasdfgh',
    '123456789012345678',
    'abcabcabcabcabcabc',
    'gracehopper12345',
    'harbour bakery 2026',
    'Summer2026Summer2026',
    'correct horse battery staple',
  ])('is not %s', (password) => {
    expect(verdict(password)).toBe('password_too_common');
  });
});
