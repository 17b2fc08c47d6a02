import { PatternMatcher, type FieldRule, FieldRules } from './field-rules.js';

const codesOf = (rule: Omit<FieldRule, 'field'>, ...texts: string[]) =>
  new FieldRules([{ field: 'a', ...rule }])
    .problemsOf(
      texts.map((text) => ({ name: 'a', text })),
      [],
      new PatternMatcher(),
    )
    .map(({ code }) => code);
const takes = (rule: Omit<FieldRule, 'field'>, text: string) => codesOf(rule, text).length === 0;

describe('The type email', () => {
  it.each([
    ...['a@b', 'jane+shop@example.co.uk', ' jane@example.com ', "o'neil@example.com", 'a..b@c.de'],
    // What the mails about it can be answered to.
    ...['Jane <jane@b.de>', 'a@b.de,c@d.de', 'a@b.de\nc@d.de', 'j\u00e4ne@b.de', 'a＠b.de'],
    ...['jane@m\u00fcnchen.de', `a@${'b'.repeat(63)}.de`],
  ])('takes %s, as browsers do and people type it', (text) => {
    expect(takes({ type: 'email' }, text)).toBe(true);
  });

  it.each([
    ...['a', '@b', 'a@', 'a b@c', 'a@b@c', 'a@-b', 'a@b-', 'a@b..c', '"a b"@c'],
    ...[`a@${'b'.repeat(64)}.de`, `${'a'.repeat(250)}@b.de`, 'a@b.de and c@d.de'],
  ])('refuses %s', (text) => {
    expect(codesOf({ type: 'email' }, text)).toEqual(['not_an_email']);
  });
});

describe('The type number', () => {
  it.each([
    [[], ['0', '-1', '2.5', '.5', '1e3', '1E-3', ' 12 ', '007']],
    [['not_a_number'], ['x', '1.', '+1', '1,5', '0x10', '1e', 'Infinity', '1e999', '1 2']],
  ])('says %j to each of %j', (codes, texts) => {
    for (const text of texts)
      expect([text, codesOf({ type: 'number' }, text)]).toEqual([text, codes]);
  });

  it('has bounds that belong to it', () => {
    const rule = { type: 'number', min: -1, max: 2 } as const;
    expect(['-1', '2', '1.5'].every((text) => takes(rule, text))).toBe(true);
    expect(codesOf(rule, '-1.01')).toEqual(['too_small']);
    expect(codesOf(rule, '2.01')).toEqual(['too_large']);
  });
});

it('The type url takes absolute addresses alone', () => {
  const good = ['https://example.com', 'mailto:a@b.de'];
  const all = [...good, '/a', 'example.com', 'http://', '//a.de'];
  expect(all.filter((text) => takes({ type: 'url' }, text))).toEqual(good);
});

it('A length is that of characters, a line break counting as one', () => {
  const rule = { minLength: 3, maxLength: 3 };
  expect(['\u{1f600}\u{1f600}\u{1f600}', 'a\r\nb'].every((text) => takes(rule, text))).toBe(true);
  expect(codesOf(rule, '\u{1f600}a')).toEqual(['too_short']);
  expect(codesOf(rule, 'abcd')).toEqual(['too_long']);
});

it('A pattern matches all of a value, as that of HTML does', () => {
  expect(takes({ pattern: 'a|bc' }, 'bc')).toBe(true);
  expect(codesOf({ pattern: 'a|bc' }, 'abc')).toEqual(['pattern_mismatch']);
  expect(codesOf({ pattern: '[a-z]+' }, 'abc\n')).toEqual(['pattern_mismatch']);
  expect(takes({ pattern: '\\p{L}+[\\u0041-Z]\\/.' }, '\u00e9A/\u{1f600}')).toBe(true);
});

describe('The rules of a form', () => {
  it('are written and read again', () => {
    const rules = new FieldRules([{ field: '__proto__', oneOf: ['a'], required: true }], 'hold');
    expect(FieldRules.decode(rules.encode())).toEqual(rules);
    expect(new FieldRules([]).encode()).toBeNull();
    expect(FieldRules.decode(null).isEmpty).toBe(true);
    expect(FieldRules.decode(new FieldRules([], 'hold').encode()).onFailure).toBe('hold');
  });

  it('name the first problem of each field, in their order', () => {
    const rules = new FieldRules([
      { field: '__proto__', required: true },
      { field: 'b', maxLength: 1, oneOf: ['x'] },
    ]);
    const matcher = new PatternMatcher();
    const values = ['long', 'longer'].map((text) => ({ name: 'b', text }));
    expect(rules.problemsOf(values, [], matcher).map(({ field, code }) => [field, code])).toEqual([
      ['__proto__', 'required'],
      ['b', 'too_long'],
    ]);
    expect(rules.problemsOf([], [{ field: '__proto__' }], matcher)).toEqual([]);
  });
});
