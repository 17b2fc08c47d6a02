import { SubmittedValues } from './submitted-values.js';
import { isChoice, mayBeChoice } from './choices.js';
import { COUNTRY, facetsOf, FIELD, ORIGIN, PAGE } from './facet.js';

describe('A field with values to choose from', () => {
  it('may be of many names', () => {
    const names = ['topic', 'Rating', 'newsletter', 'shirt-size', 'Wie viele?', 'telescope'];
    expect(names.filter(mayBeChoice)).toEqual(names);
  });

  it.each([
    ...['name', 'firstName', 'E-Mail', 'user[email]', 'Nachricht', 'phone_number', 'tel', 'Straße'],
    ...['creditCard', 'api key', 'password2', '_replyto', 'birthday', 'x'.repeat(65), 'userId'],
  ])('is not %s', (name) => {
    expect(mayBeChoice(name)).toBe(false);
  });

  it.each([
    ['I would like to know more', true],
    ['1–5 people', true],
    ['1,000 to 3,000 €', true],
    ['10.000–25.000', true],
    ['x'.repeat(61), false],
    ['two\nlines', false],
    ['jane@example.com', false],
    ['https://example.com', false],
    ['030 123456', false],
    ['2030-01-31', false],
  ])('has a value %s: %s', (text, expected) => {
    expect(isChoice(text)).toBe(expected);
  });
});

describe('What a submission is counted by', () => {
  const sent = (pairs: [string, string][]) => ({
    values: SubmittedValues.ofPairs(pairs),
    origin: 'https://example.com',
    referer: 'https://example.com/a?token=x',
    country: null as string | null,
  });
  const where = [
    { facet: PAGE, name: '', text: '/a' },
    { facet: ORIGIN, name: '', text: 'https://example.com' },
  ];

  it('is its page, its origin, its country, and each choice once', () => {
    const pairs: [string, string][] = [
      ['day', 'Mon'],
      ['day', 'Tue'],
      ['day', 'Mon'],
      ['plan', ''],
      ['wishes', 'x'.repeat(100)],
      ['email', 'jane@example.com'],
    ];
    expect(facetsOf({ ...sent(pairs), country: 'DE' }, 100)).toEqual([
      ...where,
      { facet: COUNTRY, name: '', text: 'DE' },
      { facet: FIELD, name: 'day', text: 'Mon' },
      { facet: FIELD, name: 'day', text: 'Tue' },
      { facet: FIELD, name: 'wishes', text: null },
    ]);
  });

  it('is no value where there is too much to look at', () => {
    expect(facetsOf(sent([['day', 'Mon']]), 65 * 1024)).toEqual(where);
  });
});
