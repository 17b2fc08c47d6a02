import { continueAfter, firstUuidAt, formatUuid, makeUuid, parseUuid, timeOf } from './uuid.js';

const NOW = Date.UTC(2100, 0, 1);

/** Sets the clock, and makes ids. */
function makeAt(time: number, count: number): string[] {
  jest.spyOn(Date, 'now').mockReturnValue(time);
  return Array.from({ length: count }, () => makeUuid().toString('hex'));
}

describe('An id', () => {
  it('is a UUID of version 7 that tells its time', () => {
    const [hex = ''] = makeAt(NOW, 1);
    const id = Buffer.from(hex, 'hex');
    expect(formatUuid(id)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(timeOf(id)).toEqual(new Date(NOW));
  });

  it('rises within a millisecond, over more than it can count, and with the clock set back', () => {
    const ids = [
      ...makeAt(NOW + 1, 10_000),
      ...makeAt(NOW + 2, 10),
      ...makeAt(NOW - 3_600_000, 10),
      ...makeAt(NOW + 1_000, 10),
    ];
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
    expect(timeOf(Buffer.from(ids.at(-1) ?? '', 'hex'))).toEqual(new Date(NOW + 1_000));
  });

  it('rises above one of a clock that was ahead, by up to a day', () => {
    const before = firstUuidAt(new Date(NOW + 5_000_000));
    makeAt(NOW + 3_000, 1);
    continueAfter(before);
    const [after = ''] = makeAt(NOW + 3_001, 1);
    expect(after > before.toString('hex')).toBe(true);

    continueAfter(firstUuidAt(new Date(NOW + 2 * 86_400_000)));
    const [later = ''] = makeAt(NOW + 6_000_000, 1);
    expect(timeOf(Buffer.from(later, 'hex'))).toEqual(new Date(NOW + 6_000_000));
  });

  it('cannot be guessed from another of the same moment', () => {
    const tails = makeAt(NOW + 10_000_000, 1_000).map((hex) => hex.slice(16));
    expect(new Set(tails).size).toBe(tails.length);
  });

  it('is not below the first of its time, and below the first of the next', () => {
    const [hex = ''] = makeAt(NOW + 20_000_000, 1);
    const id = Buffer.from(hex, 'hex');
    expect(Buffer.compare(firstUuidAt(timeOf(id)), id)).toBeLessThanOrEqual(0);
    expect(Buffer.compare(firstUuidAt(new Date(timeOf(id).getTime() + 1)), id)).toBe(1);
  });

  it('has bounds for any time', () => {
    expect(firstUuidAt(new Date(-1)).toString('hex')).toBe('0'.repeat(32));
    expect(firstUuidAt(new Date(8.64e15)).toString('hex')).toBe('f'.repeat(12).padEnd(32, '0'));
  });
});

describe('The text of an id', () => {
  it('is read back', () => {
    const id = makeUuid();
    expect(parseUuid(formatUuid(id))).toEqual(id);
  });

  it.each([
    '017f22e2-79b0-7cc3-98c4-dc0c0c07398',
    '017F22E2-79B0-7CC3-98C4-DC0C0C07398F',
    '017f22e279b07cc398c4dc0c0c07398f',
    '017f22e2-79b0-7cc3-98c4-dc0c0c07398f\n',
  ])('is not %j', (text) => {
    expect(parseUuid(text)).toBeNull();
  });
});
