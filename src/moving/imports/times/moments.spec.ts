import { cpuMs } from '../../../../test/support/cpu-time.js';
import { looksLikeTime, orderIn, readMoment, type TimeReading, UTC, zoneOfColumn } from './moments.js';

const isoOf = (text: string, reading?: TimeReading) => {
  const moment = readMoment(text, reading);
  return moment && new Date(moment.ms).toISOString();
};

describe('A moment of an export', () => {
  it.each([
    ['2018-11-03T07:28:29.707632', '2018-11-03T07:28:29.707Z'],
    ['2018-11-03 UTC', '2018-11-03T00:00:00.000Z'],
    ['1541230109', '2018-11-03T07:28:29.000Z'],
    ['1541230109707', '2018-11-03T07:28:29.707Z'],
    ['Sat, 03 Nov 2018 07:28:29 GMT', '2018-11-03T07:28:29.000Z'],
    ['31/12/2018 11:05 PM', '2018-12-31T23:05:00.000Z'],
    ['12/31/2018', '2018-12-31T00:00:00.000Z'],
    ['03/04/2020', null],
    ['2018-11-03T07:28:29Z', '2018-11-03T07:28:29.000Z'],
    ['2019-02-29T07:28:29Z', null],
    ['2019-01-01 24:00', null],
    ['', null],
    // Year first, with half a day
    ['2023/05/18 10:05:01 AM GMT+2', '2023-05-18T08:05:01.000Z'],
    ['2023/5/7 12:05:01 AM MEZ', '2023-05-06T23:05:01.000Z'],
    ['2023-05-17 12:00 p.m.', '2023-05-17T12:00:00.000Z'],
    ['5/17/2023 3 PM', '2023-05-17T15:00:00.000Z'],
    ['May 17, 2023, 3:45:12\u202fPM', '2023-05-17T15:45:12.000Z'],
    ['2023-05-17 15:45 AM', null],
    // Years of two digits
    ['5/17/23 15:45', '2023-05-17T15:45:00.000Z'],
    ['17.05.70', '1970-05-17T00:00:00.000Z'],
    ['17-May-23', '2023-05-17T00:00:00.000Z'],
    // Offsets and zones
    ['2023-05-17 15:45:12 -08', '2023-05-17T23:45:12.000Z'],
    ['2023-05-17 15:45:12 UTC+05:30', '2023-05-17T10:15:12.000Z'],
    ['2023-05-17 15:45:12 +0000 UTC', '2023-05-17T15:45:12.000Z'],
    ['2023-05-17T15:45:12+02:00[Europe/Berlin]', '2023-05-17T13:45:12.000Z'],
    ['2023-01-17 15:45:12 CET', '2023-01-17T14:45:12.000Z'],
    ['2023-05-17 15:45:12 BST', '2023-05-17T14:45:12.000Z'],
    ['2023-01-17 3:45 PM EST', '2023-01-17T20:45:00.000Z'],
    ['2023-05-17 3:45 PM EDT', '2023-05-17T19:45:00.000Z'],
    ['2023-01-17 3:45 PM PST', '2023-01-17T23:45:00.000Z'],
    ['2023-05-17 3:45 PM PDT', '2023-05-17T22:45:00.000Z'],
    ['2023-05-17 15:45:12.5 Europe/Berlin', '2023-05-17T13:45:12.500Z'],
    ['2023-01-17 15:45:12 (America/New_York)', '2023-01-17T20:45:12.000Z'],
    ['2023-05-17 15:45:12 Mars/Base', null],
    ['2023-05-17 15:45:12 +25:00', null],
    // Names of months
    ['May 17, 2023 at 3:45 PM', '2023-05-17T15:45:00.000Z'],
    ['Wednesday, May 17th, 2023 3:45pm', '2023-05-17T15:45:00.000Z'],
    ['17. Mai 2023 um 15:45 Uhr', '2023-05-17T15:45:00.000Z'],
    ['Mi., 17. März 2021 15:45', '2021-03-17T15:45:00.000Z'],
    ['2023-May-17 15:45', '2023-05-17T15:45:00.000Z'],
    ['15:45 17 May 2023', '2023-05-17T15:45:00.000Z'],
    ['Wed May 17 15:45:12 CEST 2023', '2023-05-17T13:45:12.000Z'],
    ['Wed May 17 2023 15:45:12 GMT+0200 (Central European Summer Time)', '2023-05-17T13:45:12.000Z'],
    ['May 32, 2023', null],
    ['Maybe 17, 2023', null],
    // Dots have the day first everywhere
    ['3.4.2023 10:00', '2023-04-03T10:00:00.000Z'],
    ['12.31.2018', null],
    // No times
    ['+49 170 1234567', null],
    ['10:30', null],
    ['1.2.3', null],
  ])('is read as products write it: "%s" is %s', (text, iso) => {
    expect(isoOf(text)).toBe(iso);
  });

  it.each([
    ['3/4/2023 10:00', 'day_first', '2023-04-03T10:00:00.000Z'],
    ['3/4/2023 10:00', 'month_first', '2023-03-04T10:00:00.000Z'],
    ['3-4-23', 'day_first', '2023-04-03T00:00:00.000Z'],
    ['3/14/2023', 'day_first', '2023-03-14T00:00:00.000Z'],
    ['4/4/2023', 'month_first', '2023-04-04T00:00:00.000Z'],
  ] as const)('"%s" is, %s, %s', (text, order, iso) => {
    expect(isoOf(text, { order, zone: UTC })).toBe(iso);
  });

  it.each([
    ['3/14/2023 9:30', 'month_first'],
    ['14-3-23', 'day_first'],
    ['3/4/2023', 'either'],
    ['4/4/2023', null],
    ['2023-04-03', null],
  ])('"%s" says of the order: %s', (text, order) => {
    expect(orderIn(text)).toBe(order);
  });

  it.each([
    ['Submit Date (UTC)', '2023-05-17T10:15:00.000Z'],
    ['Date (CEST)', '2023-05-17T08:15:00.000Z'],
    ['Timestamp (GMT+2)', '2023-05-17T08:15:00.000Z'],
    ['Sent (America/New_York)', '2023-05-17T14:15:00.000Z'],
    ['Date (yours)', '2023-05-17T10:15:00.000Z'],
  ])('without a zone has that of its column "%s": %s', (column, iso) => {
    const reading = { order: null, zone: zoneOfColumn(column) };
    expect(isoOf('2023-05-17 10:15:00', reading)).toBe(iso);
    expect(isoOf('2023-05-17 10:15:00 +0000', reading)).toBe('2023-05-17T10:15:00.000Z');
  });

  it('is no number, where nobody says that it is a time', () => {
    const texts = ['1541230109', '1541230109707', '2023', '3/4/2023'];
    expect(texts.filter(looksLikeTime)).toEqual(['3/4/2023']);
  });

  it('is told from long texts at once', () => {
    const texts = ['1', '1:1', ' ', '((', 'a '].map((piece) => piece.repeat(1e6));
    const short = ['1/'.repeat(40), '(('.repeat(40), '1:11 '.repeat(16), '+1 '.repeat(26)];
    const begin = cpuMs();
    for (const text of [...texts, ...short]) expect(readMoment(text)).toBeNull();
    expect(cpuMs() - begin).toBeLessThan(200);
  });
});
