import { isoAt, minuteAt, minuteOf } from './time.js';

it.each([
  ['2030-01-31T18:00:00.000Z', 'UTC', '2030-01-31T18:00:00.000Z'],
  ['2030-01-31T23:30:05.070Z', 'Europe/Berlin', '2030-02-01T00:30:05.070+01:00'],
  ['2030-07-31T16:05:00.000Z', 'Europe/Berlin', '2030-07-31T18:05:00.000+02:00'],
  ['2029-12-31T18:30:00.000Z', 'Asia/Kathmandu', '2030-01-01T00:15:00.000+05:45'],
  ['2030-01-01T02:00:00.000Z', 'America/St_Johns', '2029-12-31T22:30:00.000-03:30'],
  ['1971-01-01T00:00:00.000Z', 'Africa/Monrovia', '1970-12-31T23:16:00.000-00:44'],
  // An hour that clocks show twice.
  ['2030-10-27T00:30:00.000Z', 'Europe/Berlin', '2030-10-27T02:30:00.000+02:00'],
  ['2030-10-27T01:30:00.000Z', 'Europe/Berlin', '2030-10-27T02:30:00.000+01:00'],
])('A moment somewhere %s in %s is written as %s', (moment, zone, text) => {
  expect(isoAt(new Date(moment), zone)).toBe(text);
  expect(Date.parse(text)).toBe(Date.parse(moment));
});

describe('A minute somewhere', () => {
  it.each([
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
