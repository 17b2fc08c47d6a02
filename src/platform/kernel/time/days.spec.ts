import { describe, expect, it } from '@jest/globals';
import { minuteAt, minuteOf } from './days.js';

describe('A minute somewhere', () => {
  it.each([
    ['2030-01-31T18:00', 'UTC', '2030-01-31T18:00:00.000Z'],
    ['2030-01-31T18:05', 'Europe/Berlin', '2030-01-31T17:05:00.000Z'],
    ['2030-07-31T18:05', 'Europe/Berlin', '2030-07-31T16:05:00.000Z'],
    ['2030-01-01T00:15', 'Asia/Kathmandu', '2029-12-31T18:30:00.000Z'],
    ['2030-12-31T23:59', 'America/Los_Angeles', '2031-01-01T07:59:00.000Z'],
  ])('%s in %s is %s, and is shown so', (local, zone, moment) => {
    expect(minuteOf(local, zone)?.toISOString()).toBe(moment);
    expect(minuteAt(new Date(moment), zone)).toBe(local);
  });

  it.each(['', '2030-01-31', '2030-02-30T18:00', '2030-01-31T24:01', '2030-01-31T18:00Z', 'now'])(
    'is not read from %j',
    (text) => {
      expect(minuteOf(text, 'UTC')).toBeNull();
    },
  );
});
