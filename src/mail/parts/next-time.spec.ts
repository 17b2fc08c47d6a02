import { nextTime, type Every } from './message.js';

it.each<[Every, string, string, string]>([
  ['day', 'UTC', '2030-01-31T07:59:59Z', '2030-01-31T08:00:00.000Z'],
  ['day', 'UTC', '2030-01-31T08:00:00Z', '2030-02-01T08:00:00.000Z'],
  ['day', 'Asia/Kathmandu', '2030-01-31T03:00:00Z', '2030-02-01T02:15:00.000Z'],
  ['week', 'UTC', '2030-01-31T12:00:00Z', '2030-02-04T08:00:00.000Z'],
  ['week', 'UTC', '2030-02-04T07:00:00Z', '2030-02-04T08:00:00.000Z'],
  ['week', 'UTC', '2030-02-04T08:00:00Z', '2030-02-11T08:00:00.000Z'],
  // Sunday evening there is Monday in UTC.
  ['week', 'America/Los_Angeles', '2030-02-04T02:00:00Z', '2030-02-04T16:00:00.000Z'],
  // The night in which the clocks are put forward, and the one in which they are put back.
  ['day', 'Europe/Berlin', '2030-03-30T12:00:00Z', '2030-03-31T06:00:00.000Z'],
  ['day', 'Europe/Berlin', '2030-10-26T12:00:00Z', '2030-10-27T07:00:00.000Z'],
])('The next digest of each %s in %s after %s is at %s', (every, zone, now, expected) => {
  expect(nextTime(every, 8, zone, new Date(now)).toISOString()).toBe(expected);
});
