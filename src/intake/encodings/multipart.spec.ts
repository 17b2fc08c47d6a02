import { dispositionParameters, extendedText } from './multipart.js';
import { cpuMs } from '../../../test/support/cpu-time.js';

const parse = (header: string) => {
  const found = dispositionParameters(header);
  return found && Object.fromEntries(found);
};

/** Texts around a run of one character: nothing, quotes, an unclosed quote, another character. */
const SURROUNDINGS = [
  ['', ''],
  ['', 'x'],
  ['; x=', ''],
  ['; x=', 'x'],
  ['; x="', '"'],
  ['; x="', 'x"'],
  ['; x="', 'x" y'],
  ['; x="', ''],
  ['; x="', '\\'],
  [';', '='],
] as const;

describe('The parameters of a disposition', () => {
  it.each([
    ['form-data', {}],
    ['', {}],
    ['form-data; name=""; filename=""', { name: '', filename: '' }],
    ['form-data;name=a;filename=b.txt;', { name: 'a', filename: 'b.txt' }],
    ['form-data; NAME = "a; b" ; x=1', { name: 'a; b', x: '1' }],
    ['form-data; name="a%22%0D%0Ab%20%0d"', { name: 'a"\r\nb%20%0d' }],
    ['form-data; name="C:\\\\dir\\"; filename="\\"', { name: 'C:\\\\dir\\', filename: '\\' }],
    ['form-data; name="a\\"b"', { name: 'a"b' }],
    ['form-data; name="a\\"; filename=\\"b\\\\"', { name: 'a"; filename="b\\' }],
    ["form-data; name=a; name*=UTF-8''b", { name: 'a', 'name*': "UTF-8''b" }],
  ])('of %s', (header, parameters) => {
    expect(parse(header)).toEqual(parameters);
  });

  it.each(['form-data; name="a', 'form-data; name="a" b', 'form-data; =1', 'x; name="a"b"'])(
    'are not made up for %s',
    (header) => {
      expect(parse(header)).toBeNull();
    },
  );

  it('may have semicolons with nothing behind them', () => {
    expect(parse('form-data; name="a"; ;;filename=b ; ')).toEqual({ name: 'a', filename: 'b' });
  });

  it('are read in time that grows as their length does, whatever they are (O-11)', () => {
    const length = 200_000; // what takes quadratic time takes minutes at this length
    const start = cpuMs();
    for (let code = 0; code < 128; code++) {
      const run = String.fromCharCode(code).repeat(length);
      for (const [before, after] of SURROUNDINGS) parse(`form-data; name="a"${before}${run}${after}`);
    }
    for (const piece of ['; a= ', ';a="', ';a', '; ', '"\\', '\\"', ';"', 'a;', '=;', '"; ']) {
      const run = piece.repeat(length / piece.length);
      for (const [before, after] of SURROUNDINGS) parse(`form-data; name="a"${before}${run}${after}`);
    }
    expect(cpuMs() - start).toBeLessThan(30_000);
  });
});

it.each([
  ["UTF-8''na%C3%AFve%20%22.txt", 'na\u00efve ".txt'],
  ["iso-8859-1'de'%FCber", '\u00fcber'],
  ["utf-8''", ''],
  ['plain', null],
  [undefined, null],
])('An extended parameter %s is the text %s', (value, text) => {
  expect(extendedText(value)).toBe(text);
});
