import { isLearningDue, encodeLearnt, encodePreview } from '../../forms/model/form-values.js';
import { tellingFields } from './preview-learner.js';

const NAMES = ['Marta Keller', 'Jürgen Groß', 'Ana', 'Olu Ade', 'Zoë Lind', 'Per Bo', 'Kim Oh'];
const TOPICS = ['Torte', 'Brot', 'Torte', 'Kuchen', 'Brot', 'Torte', 'Brot'];

/** Fields of twenty submissions, each by what it holds in the n-th of them. */
const fieldsOf = (fields: Record<string, (n: number) => string>) =>
  tellingFields(
    Array.from({ length: 20 }, (_, n) =>
      Object.entries(fields).map(([name, value]) => ({ name, path: [], text: value(n) })),
    ),
  );
const name = (n: number) => `${NAMES[n % NAMES.length] ?? ''} ${String.fromCharCode(97 + n)}`;
const text = (n: number) => `Guten Tag, ich hätte gern am ${n}. Mai eine Torte mit Sahne und Nüssen.`;

describe('The fields that tell most', () => {
  it('are found by what they hold: who, the text, what about, and how to answer', () => {
    expect(
      fieldsOf({
        field_1: () => 'https://example.com/kontakt',
        field_2: (n) => `kunde${n}@example.com`,
        field_3: text,
        field_4: (n) => TOPICS[n % TOPICS.length] ?? '',
        field_5: name,
        field_6: (n) => `+49 30 ${n}2345${n}`,
      }),
    ).toEqual(['field_5', 'field_3', 'field_4', 'field_2', 'field_6']);
  });

  it.each([
    ['the same everywhere', () => 'Formular A'],
    ['a tick', (n: number) => (n % 3 === 0 ? '' : 'ja')],
    ['yes or no', (n: number) => (n % 2 === 0 ? 'ja' : 'nein')],
    ['hardly ever filled in', (n: number) => (n === 3 ? 'einmal' : '')],
    ['never filled in', () => ' '],
    ['a link', (n: number) => `https://example.com/?from=${n}`],
    ['a code', (n: number) => `0190a2b4-59cd-7def-8123-4567890abc${n + 10}`],
  ])('are none of what is %s', (_, value) => {
    const found = fieldsOf({ q1: value, q2: name, q3: text });
    expect(found).toEqual(['q2', 'q3']);
  });

  it.each(['utm_source', 'gclid', '_referrer'])('are none of campaigns, such as %s', (field) => {
    expect(fieldsOf({ [field]: (n) => `mai ${n}`, q2: name })).toEqual(['q2']);
  });

  it('have one email address, that which is filled in most', () => {
    const mail = (n: number) => `a${n}@example.com`;
    expect(fieldsOf({ q1: (n) => (n % 2 ? mail(n) : ''), q2: mail, q3: text })).toEqual(['q2', 'q3']);
  });

  it('begin with the address where nothing is a name', () => {
    expect(fieldsOf({ q1: text, q2: (n) => `a${n}@example.com` })).toEqual(['q2', 'q1']);
  });

  it.each([
    [
      'Japanese',
      (n: number) => `山田 ${'太花一二三'.charAt(n % 5)}${'郎子美'.charAt(n % 3)}`,
      '先週注文した商品がまだ届いていません。確認していただけますでしょうか。注文番号は',
    ],
    [
      'Arabic',
      (n: number) => `${['محمد', 'فاطمة', 'ليلى', 'عمر', 'نور'][n % 5] ?? ''} ${['علي', 'حسن', 'سعيد'][n % 3] ?? ''}`,
      'السلام عليكم، أريد أن أحجز طاولة لأربعة أشخاص مساء يوم الجمعة القادم رقم',
    ],
  ])('are found in %s', (_, who, message) => {
    expect(fieldsOf({ q1: () => '1', q2: (n) => `${message} ${n}`, q3: who })).toEqual(['q3', 'q2']);
  });

  it('are ten at most, and none of a form without values', () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`q${at}`, text]));
    expect(fieldsOf(many)).toHaveLength(10);
    expect(tellingFields([])).toEqual([]);
    expect(tellingFields([[]])).toEqual([]);
  });
});

describe('It is time to learn', () => {
  const learnt = (at: number) => encodeLearnt({ at, fields: [] });
  it.each<[string | null, number, boolean]>([
    [null, 9, false],
    [null, 10, true],
    [learnt(10), 49, false],
    [learnt(12), 50, true],
    [learnt(60), 559, false],
    [learnt(60), 560, true],
    [learnt(600), 299, true],
    [learnt(600), 9, false],
    [encodePreview(['a']), 5_000, false],
  ])('with %s known, at %i: %s', (known, count, isDue) => {
    expect(isLearningDue(known, count)).toBe(isDue);
  });
});
