import { mentionsIn, MENTIONS_MAX, splitAtMentions, withMention } from './mentions.js';
import { cpuMs } from '../../../test/support/cpu-time.js';

const person = (id: number, name: string, email = `p${id}@example.com`) => ({
  ...{ id, name, email },
  isVerified: true,
});
const ANN = person(1, 'Ann');
const ANN_LEE = person(2, 'Ann Lee (EU)');
const ZOE = person(3, 'Zoë', 'zoe@example.com');
const idsIn = (text: string) => mentionsIn(text, [ANN, ANN_LEE, ZOE]).map(({ id }) => id);

describe('A note mentions', () => {
  it.each<[string, number[]]>([
    ['@Ann, please', [1]],
    ['see @ann lee (EU).', [2]],
    ['(@ZOË)', [3]],
    ['@zoe@example.com', [3]],
    ['@Zoë and @Ann and @zoë', [3, 1]],
    ['@Anna', []],
    ['ann@Ann', []],
    ['@ Ann', []],
    ['@Ann@elsewhere.example', []],
  ])('in %j %j', (text, ids) => {
    expect(idsIn(text)).toEqual(ids);
  });

  it('both of one name, each once, and no more than one tells', () => {
    const many = Array.from({ length: MENTIONS_MAX + 1 }, (_, id) => person(id, 'Sam'));
    expect(mentionsIn('@Sam @sam', many)).toHaveLength(MENTIONS_MAX);
  });
});

it('A note of many mentions among many people takes no time, and is cut into few parts', () => {
  const people = Array.from({ length: 1_000 }, (_, id) => person(id, id === 0 ? 'a' : `b${id}`));
  const begun = cpuMs();
  expect(mentionsIn('@a '.repeat(3_333), people).map(({ id }) => id)).toEqual([0]);
  expect(mentionsIn('@ '.repeat(5_000), people)).toEqual([]);
  expect(cpuMs() - begun).toBeLessThan(800);
  const parts = splitAtMentions('@a '.repeat(3_333), ['a']);
  expect(parts.length).toBeLessThanOrEqual(202);
  expect(parts.map(({ text }) => text).join('')).toBe('@a '.repeat(3_333));
});

it('A text is cut where somebody is mentioned, and nothing of it is lost', () => {
  const text = 'Ask @Ann, or @Nobody.';
  const parts = splitAtMentions(text, ['Ann', '']);

  expect(parts.map((part) => part.text).join('')).toBe(text);
  expect(parts.filter(({ label }) => label !== null)).toEqual([{ text: '@Ann', label: 'Ann' }]);
});

it('A person who is chosen is added to the text, by address where the name is not enough', () => {
  const twin = person(4, 'ann');
  expect(withMention('Look', ANN, [ANN, ZOE])).toBe('Look @Ann');
  expect(withMention('', ANN, [ANN, ZOE])).toBe('@Ann');
  expect(withMention('Look @ann', ANN, [ANN, ZOE])).toBe('Look @ann');
  expect(withMention('Look', ANN, [ANN, twin])).toBe('Look @p1@example.com');
});
