import fc from 'fast-check';
import { jsonDepth, jsonElements, jsonMembers, readableJson } from './json-text.js';

const blanks = fc.stringMatching(/^[ \t\r\n]{0,3}$/);
/** JSON text with blanks anywhere they may stand. */
const spaced = fc
  .tuple(fc.jsonValue({ maxDepth: 4 }), blanks)
  .map(([value, blank]) => `${blank}${JSON.stringify(value, null, blank)}${blank}`);

describe('The members of an object', () => {
  it('are found in order, with repeated names and their own text', () => {
    const text = ' { "10" : 1.0 , "9":"a,\\"}b", "9":[1, {"x":[2]}] ,"\\u0061":-0e1,"":{} } ';
    expect(jsonMembers(text)).toEqual([
      { name: '10', json: '1.0' },
      { name: '9', json: '"a,\\"}b"' },
      { name: '9', json: '[1, {"x":[2]}]' },
      { name: 'a', json: '-0e1' },
      { name: '', json: '{}' },
    ]);
  });

  it('are those that were put together', () => {
    const member = fc.tuple(fc.string({ unit: 'binary' }), spaced, blanks);
    fc.assert(
      fc.property(fc.array(member), (members) => {
        const parts = members.map(([name, json, blank]) => `${blank}${JSON.stringify(name)}${blank}:${json}`);
        expect(jsonMembers(`{${parts.join(',')}}`)).toEqual(
          members.map(([name, json]) => ({ name, json: json.trim() })),
        );
      }),
    );
  });
});

describe('The elements of an array', () => {
  it('are those that were put together', () => {
    fc.assert(
      fc.property(fc.array(spaced), (elements) => {
        expect(jsonElements(`[${elements.join(',')}]`)).toEqual(elements.map((each) => each.trim()));
      }),
    );
  });

  it('are none of what is empty, like members', () => {
    expect(['[]', ' [ ] '].flatMap(jsonElements)).toEqual([]);
    expect(['{}', ' { } ', '{\n}'].flatMap(jsonMembers)).toEqual([]);
  });
});

describe('JSON for people', () => {
  it.each([
    ['{"city":"K\\u00f6ln \\u65E5"}', '{"city":"Köln 日"}'],
    ['["\\ud83d\\uDE00","\\ud83d","\\ude00\\ud83d"]', '["😀","\\ud83d","\\ude00\\ud83d"]'],
    ['["\\u0022\\u005c\\u0000\\u0041\\n"]', '["\\u0022\\u005c\\u0000\\u0041\\n"]'],
    ['["\\\\u00f6"]', '["\\\\u00f6"]'],
    ['[2.50,12345678901234567890]', '[2.50,12345678901234567890]'],
  ])('has letters for their escapes: of %s it is %s', (text, readable) => {
    expect(readableJson(text)).toBe(readable);
  });

  it('means what it meant, and has no half of a character', () => {
    const escaped = fc.string({ unit: 'binary' }).map((text) => {
      const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
      return `["${units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"]`;
    });
    fc.assert(
      fc.property(escaped, (text) => {
        expect(JSON.parse(readableJson(text))).toEqual(JSON.parse(text));
        expect(readableJson(text).isWellFormed()).toBe(true);
      }),
    );
  });
});

it.each<[string, number]>([
  ['"[[["', 0],
  ['"\\"[["', 0],
  ['[1,{"a":[2]},[3]]', 3],
  ['{"[":"{"}', 1],
  ['"[', 0],
  [']]][', 0],
])('The depth of %s is %d', (text, depth) => {
  expect(jsonDepth(text)).toBe(depth);
});
