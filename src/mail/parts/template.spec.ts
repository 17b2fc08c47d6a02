import { fill, fillSubject, headerText } from './message.js';

const VALUES = new Map([
  ['name', 'Ann'],
  ['a name', 'b'],
]);

describe('Filling a template (O-06)', () => {
  it.each([
    ['{{name}}{{ name }}{{\n name\t}}', 'AnnAnnAnn'],
    ['{{a name}}', 'b'],
    ['{{Name}}{{other}}', ''],
    ['{name} {{name} {name}}', '{name} {{name} {name}}'],
  ])('%j becomes %j', (template, text) => {
    expect(fill(template, VALUES)).toBe(text);
  });

  it('is cut and says so when values would make it endless', () => {
    const values = new Map([['all', '😀'.repeat(50_000)]]);
    const text = fill(`{{all}} {{all}} end`.repeat(500), values);
    expect(text.length).toBeLessThan(60_000);
    expect(text.isWellFormed()).toBe(true);
    expect(text).toMatch(/ end\n\nSome of this text was left out/);
  });
});

it.each([
  ['  a\r\nb\u0000\u2028c\td  ', 'a b c d'],
  ['x'.repeat(300), 'x'.repeat(255)],
  [`${'x'.repeat(254)}😀`, 'x'.repeat(254)],
])('Text for a header is one line of sensible length', (text, header) => {
  expect(headerText(text)).toBe(header);
});

it('A subject has at most 60 characters of each value, whole ones', () => {
  const values = new Map([
    ['name', '😀'.repeat(100)],
    ['short', 'Ann'],
  ]);

  expect(fillSubject('{{short}}: {{name}}!', values)).toBe(`Ann: ${'😀'.repeat(59)}…!`);
});
