import { describe, expect, it } from '@jest/globals';
import { lastWeek, mondayAfter } from './week.js';

describe('A week', () => {
  it.each([
    ['2030-01-06T23:59:59.999Z', '2030-01-07T06:00:00.000Z'],
    ['2030-01-07T05:59:59.999Z', '2030-01-07T06:00:00.000Z'],
    ['2030-01-07T06:00:00.000Z', '2030-01-14T06:00:00.000Z'],
    ['2029-12-31T07:00:00.000Z', '2030-01-07T06:00:00.000Z'],
  ])('has its mail after %s at %s', (now, at) => {
    expect(mondayAfter(new Date(now)).toISOString()).toBe(at);
  });

  it('is the seven days before today', () => {
    expect(lastWeek(new Date('2030-01-07T06:00:00Z'))).toMatchObject({
      ...{ from: '2029-12-31', to: '2030-01-07', zone: 'UTC' },
    });
  });
});
