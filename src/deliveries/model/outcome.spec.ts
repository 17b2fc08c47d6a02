import { beginningOf, attemptResult, reachedBy, type OutcomeName, type AttemptVerdict } from './outcome.js';

describe('The beginning of an answer', () => {
  it.each([
    ['of one byte a character', 'x'.repeat(2_000), 'x'.repeat(1_024)],
    ['of two, the last of which does not fit', `x${'ß'.repeat(600)}`, `x${'ß'.repeat(511)}`],
    ['of three', '中'.repeat(400), '中'.repeat(341)],
    ['of four, and two units', '😀'.repeat(300), '😀'.repeat(256)],
    ['that fits', 'Größe\r\n\tx', 'Größe\r\n\tx'],
  ])('%s is 1,024 bytes at most and ends with a whole character', (_, answer, kept) => {
    expect(beginningOf(answer)).toBe(kept);
    expect(Buffer.byteLength(beginningOf(answer))).toBeLessThanOrEqual(1_024);
  });

  it('masks what would steer a terminal', () => {
    expect(beginningOf('\0a\u001b[2J\u009bb\u007f')).toBe('\ufffda\ufffd[2J\ufffdb\ufffd');
  });
});

describe('What a try shows of its receiver', () => {
  it.each<[AttemptVerdict, OutcomeName, number | null, boolean | null]>([
    ['delivered', 'accepted', 202, true],
    ['delivered', 'written', null, true],
    ['refused', 'refused', 550, true],
    ['refused', 'gone', 410, true],
    ['deferred', 'unreachable', null, false],
    ['deferred', 'timed_out', null, false],
    ['refused', 'suppressed', null, null],
    ['delivered', 'summarised', null, null],
    ['refused', 'forbidden_address', null, null],
    ['deferred', 'not_possible', null, null],
    ['interrupted', 'interrupted', null, null],
  ])('that ended %s, %s with code %s: %s', (result, name, code, reached) => {
    expect(reachedBy({ ...attemptResult(result, name), code })).toBe(reached);
  });
});
