import { SubmittedValues } from './submitted-values.js';
import { isChoice, mayBeChoice, facetsOf, ORIGIN, PAGE } from './facet.js';

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

it('A submission with too much to look at is counted by its page and its origin alone', () => {
  const sent = {
    values: SubmittedValues.ofPairs([['day', 'Mon']]),
    ...{ origin: 'https://example.com', referer: 'https://example.com/a?token=x', country: null },
  };
  expect(facetsOf(sent, 65 * 1024)).toEqual([
    { facet: PAGE, name: '', text: '/a' },
    { facet: ORIGIN, name: '', text: 'https://example.com' },
  ]);
});
