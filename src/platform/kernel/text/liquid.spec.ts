import { chosenParts, templateProblem, writeTemplate } from './liquid.js';

const values = (some: Record<string, string>) => new Map(Object.entries(some));

describe('A text with tags that choose', () => {
  it.each([
    ['{% if topic == "Sales" %}A{% else %}B{% endif %} {{name}}', 'A {{name}}'],
    ['{% unless topic == "Sales" %}A{% endunless %}.', '.'],
    ['{% case topic %}{% when "Sales" %}S{% else %}O{% endcase %}', 'S'],
    ['{% if fields["Your name"] contains "Ann" %}Hi{% endif %}', 'Hi'],
    ['{% if form.name == "Contact" %}{{ data.a }}{% endif %}', '{{ data.a }}'],
  ])('keeps the part that fits, and its placeholders: %s', (text, kept) => {
    const all = values({ topic: 'Sales', 'Your name': 'Ann', 'form.name': 'Contact' });
    expect(chosenParts(text, all)).toBe(kept);
  });

  it.each(['{% if %}', 'Save 50 {% today', '{% include "x" %}', '{% if a %}', '{% for i in (1..9) %}'])(
    'stays as it is where that cannot be followed: %s',
    (text) => {
      expect(chosenParts(text, values({}))).toBe(text);
      expect(templateProblem(text)).toMatch('must be a template that can be read');
    },
  );

  it('takes no tags from a visitor', () => {
    const tag = '{% if true %}x{% endif %}';
    expect(chosenParts('{% if name == "a" %}b{% endif %}{{name}}', values({ name: tag }))).toBe('{{name}}');
  });
});

describe('A whole template', () => {
  it('writes values, lists and JSON', () => {
    const text = '{{ name | json }}:[{% for tag in tags %}{{ tag }},{% endfor %}]';
    expect(writeTemplate(text, { name: 'A "b"', tags: ['x', 'y'] })).toBe('"A \\"b\\"":[x,y,]');
  });

  it.each([
    ['many rounds', '{% for a in (1..100000) %}{% for b in (1..100000) %}x{% endfor %}{% endfor %}'],
    ['doubling', `{% assign a = "aaaaaaaaaa" %}${'{% assign a = a | append: a %}'.repeat(60)}{{ a }}`],
    ['long output', `{% assign a = text %}${'{{ a }}'.repeat(3_000)}`],
    ['an unknown filter', '{{ a | nothing }}'],
    ['a file', '{% render "/etc/passwd" %}'],
  ])('ends with a reason: %s', (_, template) => {
    const write = () => writeTemplate(template, { text: 'x'.repeat(10_000) });
    expect(write).toThrow(expect.objectContaining({ message: expect.stringMatching(/\w/) }));
  });

  it('sees nothing but what it is given', () => {
    const text = '{{ a.constructor }}{{ a.__proto__ }}{{ process.env.PATH }}{{ a.length }}';
    expect(writeTemplate(text, { a: { b: 1 } })).toBe('');
  });
});
