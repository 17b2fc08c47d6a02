import { describe, expect, it } from '@jest/globals';
import { beginningOf } from './outcome.js';

describe('The beginning of an answer', () => {
  it.each([
    ['of one byte a character', 'x'.repeat(2_000), 'x'.repeat(1_024)],
    ['of two, the last of which does not fit', `x${'ß'.repeat(600)}`, `x${'ß'.repeat(511)}`],
    ['of three', '中'.repeat(400), '中'.repeat(341)],
    ['of four, and two units', '😀'.repeat(300), '😀'.repeat(256)],
    ['that fits', 'Größe\r\n\tx', 'Größe\r\n\tx'],
    ['of nothing', '', ''],
  ])('%s is 1,024 bytes at most and ends with a whole character', (_, answer, kept) => {
    expect(beginningOf(answer)).toBe(kept);
    expect(Buffer.byteLength(beginningOf(answer))).toBeLessThanOrEqual(1_024);
  });

  it('masks what would steer a terminal', () => {
    expect(beginningOf('\0a\u001b[2J\u009bb\u007f')).toBe('\ufffda\ufffd[2J\ufffdb\ufffd');
  });
});
