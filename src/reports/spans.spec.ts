import { addMonths, beginOf, lastMonth, parseMonth, lastWeek, mondayAfter } from './week.js';

describe('A month', () => {
  it('is read, and nothing else is', () => {
    expect(parseMonth('2030-01')).toBe('2030-01');
    for (const other of ['2030-13', '2030-00', '2030-1', '2030-01-01', '', 203001, null]) {
      expect(parseMonth(other)).toBeNull();
    }
  });

  it('goes over the end of a year', () => {
    expect(addMonths('2030-01', -1)).toBe('2029-12');
    expect(addMonths('2029-12', 1)).toBe('2030-01');
    expect(lastMonth(new Date('2030-03-31T23:59:59Z'))).toBe('2030-02');
    expect(beginOf('2030-02').toISOString()).toBe('2030-02-01T00:00:00.000Z');
  });
});

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
