import { normalise } from './text.js';
import { cpuMs } from '../../../../test/support/cpu-time.js';

/** Pairs of marks of two classes, also those that are marks only once they are decomposed. */
const MIXED = [
  '\u0316\u0301',
  '\u0f71\u0f72',
  '\u0f81',
  '\u0344\u0323',
  '\uff9e\u0301',
  '\u{1d165}\u{1d16e}',
  '\u05b0\u0591',
];
const RUNS = [...MIXED, '\u1100\u1161\u11a8', '\ufdfa', '\ud800', 'e\u0301', `a${'\u0316\u0301'.repeat(15)}`];
const LENGTH = 1024 * 1024;
/** The slowest of them took 630 ms; a run of marks that is sorted takes minutes. */
const LINEAR_MAX_MS = 5_000;

describe.each(['NFC', 'NFKC'] as const)('Text brought into %s', (form) => {
  it.each(RUNS)('takes time in proportion when it is made of %j', (unit) => {
    const began = cpuMs();
    normalise(unit.repeat(LENGTH / unit.length), form);
    expect(cpuMs() - began).toBeLessThan(LINEAR_MAX_MS);
  });

  it.each(MIXED)('keeps the first 30 marks of a run of %j', (unit) => {
    const first = Array.from(unit.repeat(30)).slice(0, 30).join('');
    expect(normalise(`a${unit.repeat(100)}b`, form)).toBe(`a${first}b`.normalize(form));
    expect(normalise(`a${first}b${first}`, form)).toBe(`a${first}b${first}`.normalize(form));
  });

  it('cuts every run that would be sorted', () => {
    const uncut: string[] = [];
    for (let code = 0; code <= 0x10ffff; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const character = String.fromCodePoint(code);
      // Marks of class 0 stay where they are.
      const isMoved = ['\u0301', '\u0316'].some(
        (mark) => (character + mark).normalize('NFKD') !== (mark + character).normalize('NFKD'),
      );
      const isSorted = /^\p{M}/u.test(character.normalize('NFKD')) && isMoved;
      if (isSorted && normalise(character.repeat(100), form).length > 200) uncut.push(character);
    }
    expect(uncut).toEqual([]);
  });
});
