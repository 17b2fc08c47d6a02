import { MAX_ATTEMPTS, nextAttemptAt } from './retry-schedule.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const NOW = new Date('2030-01-31T12:00:00Z');
/** Waits after each try of the schedule; the first is made at once. */
const LADDER = [
  ...[5 * SECOND, 5 * MINUTE, 30 * MINUTE],
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR),
].map((ms, at) => [at + 1, ms] as const);

const wait = (attempts: number, retryAfterMs: number | null = null) =>
  nextAttemptAt(attempts, retryAfterMs, NOW).getTime() - NOW.getTime();

describe('The schedule of retries (W-06)', () => {
  it('has ten attempts', () => {
    expect(MAX_ATTEMPTS).toBe(10);
    expect(LADDER).toHaveLength(MAX_ATTEMPTS - 1);
  });

  it.each(LADDER)('waits after %i attempts for %i ms, and up to a tenth more', (attempts, ms) => {
    const random = jest.spyOn(Math, 'random');
    random.mockReturnValue(0);
    expect(wait(attempts)).toBe(ms);
    random.mockReturnValue(1);
    expect(wait(attempts)).toBe(Math.floor(ms * 1.1));
  });

  it('does not bring back at one time what failed at one time', () => {
    const waits = Array.from({ length: 100 }, () => wait(4));
    expect(new Set(waits).size).toBeGreaterThan(50);
  });

  it('waits the first wait after a try by hand before the first of the schedule', () => {
    jest.spyOn(Math, 'random').mockReturnValue(0);
    expect(wait(0)).toBe(5 * SECOND);
  });

  it.each([
    ['longer than the schedule', 1, HOUR, HOUR],
    ['shorter than the schedule', 2, SECOND, 5 * MINUTE],
    ['a day', 1, 24 * HOUR, 24 * HOUR],
    ['more than a day', 1, 365 * 24 * HOUR, 24 * HOUR],
    ['nothing', 1, 0, 5 * SECOND],
    ['a time that is over', 1, -HOUR, 5 * SECOND],
  ])('when the receiver asks for %s', (_, attempts, asked, expected) => {
    jest.spyOn(Math, 'random').mockReturnValue(0);
    expect(wait(attempts, asked)).toBe(expected);
  });
});
