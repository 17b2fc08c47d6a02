import { PatternMatcher, type Field } from './field.js';
import { FormFields } from './form-fields.js';

type Rule = Partial<Omit<Field, 'name'>>;
const codesOf = (rule: Rule, ...texts: string[]) =>
  new FormFields([{ name: 'a', kind: 'text', ...rule }])
    .problemsOf(
      texts.map((text) => ({ name: 'a', text })),
      [],
      new PatternMatcher(),
    )
    .map(({ code }) => code);
const takes = (rule: Rule, text: string) => codesOf(rule, text).length === 0;

describe('The kind email', () => {
  it.each([
    ...['a@b', 'jane+shop@example.co.uk', ' jane@example.com ', "o'neil@example.com", 'a..b@c.de'],
    // What the mails about it can be answered to.
    ...['Jane <jane@b.de>', 'a@b.de,c@d.de', 'a@b.de\nc@d.de', 'j\u00e4ne@b.de', 'a＠b.de'],
    ...['jane@m\u00fcnchen.de', `a@${'b'.repeat(63)}.de`],
  ])('takes %s, as browsers do and people type it', (text) => {
    expect(takes({ kind: 'email' }, text)).toBe(true);
  });

  it.each([
    ...['a', '@b', 'a@', 'a b@c', 'a@b@c', 'a@-b', 'a@b-', 'a@b..c', '"a b"@c'],
    ...[`a@${'b'.repeat(64)}.de`, `${'a'.repeat(250)}@b.de`, 'a@b.de and c@d.de'],
  ])('refuses %s', (text) => {
    expect(codesOf({ kind: 'email' }, text)).toEqual(['not_an_email']);
  });
});

describe('The kind number', () => {
  it.each([
    [[], ['0', '-1', '2.5', '.5', '1e3', '1E-3', ' 12 ', '007']],
    [['not_a_number'], ['x', '1.', '+1', '1,5', '0x10', '1e', 'Infinity', '1e999', '1 2']],
  ])('says %j to each of %j', (codes, texts) => {
    for (const text of texts) expect([text, codesOf({ kind: 'number' }, text)]).toEqual([text, codes]);
  });

  it('has bounds that belong to it', () => {
    const rule = { kind: 'number', min: -1, max: 2 } as const;
    expect(['-1', '2', '1.5'].every((text) => takes(rule, text))).toBe(true);
    expect(codesOf(rule, '-1.01')).toEqual(['too_small']);
    expect(codesOf(rule, '2.01')).toEqual(['too_large']);
  });
});

it('The kind url takes absolute addresses alone', () => {
  const good = ['https://example.com', 'mailto:a@b.de'];
  const all = [...good, '/a', 'example.com', 'http://', '//a.de'];
  expect(all.filter((text) => takes({ kind: 'url' }, text))).toEqual(good);
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

it.each([
  ['tel', ['+49 30 123456', '(030) 12-34', '123', '555 1234 ext. 9'], ['call me', '12', '+']],
  ['date', ['2030-01-31'], ['31.01.2030', '2030-02-30', '2030-1-1']],
] as const)('The kind %s takes what people write, and refuses the rest', (kind, good, bad) => {
  expect(good.filter((text) => !takes({ kind }, text))).toEqual([]);
  expect(bad.filter((text) => takes({ kind }, text))).toEqual([]);
});

it('The kind choice takes one of its choices, choices any number of them', () => {
  const choices = ['a', 'b'];
  expect(codesOf({ kind: 'choice', choices }, 'a', 'b')).toEqual(['not_a_choice']);
  expect(codesOf({ kind: 'choices', choices }, 'a', 'b')).toEqual([]);
  expect(codesOf({ kind: 'choices', choices }, 'a', 'c')).toEqual(['not_a_choice']);
});

it('A check box that is required has to be ticked', () => {
  const check = { kind: 'check', required: true } as const;
  expect(['on', 'yes', '1'].filter((text) => !takes(check, text))).toEqual([]);
  expect(['', 'false', 'off', '0', 'No'].filter((text) => takes(check, text))).toEqual([]);
  expect(codesOf(check)).toEqual(['required']);
});

it('A file has one of the types, and is not too large', () => {
  const cv: Field = { name: 'cv', kind: 'file', fileTypes: ['.pdf'], maxFileBytes: 10 };
  const codes = (name: string, size: number) =>
    new FormFields([cv]).problemsOf([], [{ field: 'cv', name, size }], new PatternMatcher()).map(({ code }) => code);
  expect(codes('Lebenslauf.PDF', 10)).toEqual([]);
  expect(codes('cv.exe', 1)).toEqual(['wrong_file_type']);
  expect(codes('pdf', 1)).toEqual(['wrong_file_type']);
  expect(codes('cv.pdf', 11)).toEqual(['file_too_large']);
});

describe('The rules of a form', () => {
  it('are written and read again', () => {
    const field = { name: '__proto__', kind: 'choice', choices: ['a'], required: true } as const;
    const fields = new FormFields([field], 'hold');
    expect(FormFields.decode(fields.encode())).toEqual(fields);
    expect(FormFields.decode(new FormFields([], 'hold').encode()).onFailure).toBe('hold');
  });

  it('name the first problem of each field, in their order', () => {
    const rules = new FormFields([
      { name: '__proto__', kind: 'text', required: true },
      { name: 'b', kind: 'choices', maxLength: 1, choices: ['x'] },
    ]);
    const matcher = new PatternMatcher();
    const values = ['long', 'longer'].map((text) => ({ name: 'b', text }));
    expect(rules.problemsOf(values, [], matcher).map(({ field, code }) => [field, code])).toEqual([
      ['__proto__', 'required'],
      ['b', 'too_long'],
    ]);
    expect(rules.problemsOf([], [{ field: '__proto__', name: 'a.txt' }], matcher)).toEqual([]);
  });
});
