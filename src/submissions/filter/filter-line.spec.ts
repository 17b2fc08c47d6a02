import fc from 'fast-check';
import { filterPart, parseFilterLine, valuePart, withMoments, withParts, type FilterLine } from './filter-line.js';

const NOW = new Date('2030-01-31T12:34:56Z');
const NOTHING: FilterLine = {
  words: [],
  forms: [],
  is: [],
  tags: [],
  assigned: [],
  from: null,
  to: null,
  hasFile: false,
  ids: [],
  values: [],
  visitors: [],
  pages: [],
  origins: [],
  countries: [],
  unclear: [],
};
const fields = (texts: Record<string, string>) => Object.entries(texts).map(([name, text]) => ({ name, text }));
const day = (text: string) => new Date(`${text}T00:00:00Z`);

describe('A line of a filter', () => {
  it.each<[string, Partial<FilterLine>]>([
    ['', {}],
    ['wedding cake', { words: ['wedding', 'cake'] }],
    ['"wedding cake" rye', { words: ['wedding cake', 'rye'] }],
    ['"wedding cake', { words: ['wedding cake'] }],
    ['form:"Bakery orders" form:b', { forms: ['Bakery orders', 'b'] }],
    ['is:unread IS:Starred', { is: ['unread', 'starred'] }],
    ['is:odd', { unclear: ['is:odd'] }],
    ['tag:Urgent tag:"call back"', { tags: ['urgent', 'call back'] }],
    ['assigned:ME assigned:none', { assigned: ['me', 'none'] }],
    ['assigned:jane@example.com', { assigned: ['jane@example.com'] }],
    ['assigned:jane', { unclear: ['assigned:jane'] }],
    ['from:2030-01-01 to:2030-01-31', { from: day('2030-01-01'), to: day('2030-01-31') }],
    ['from:today to:0d', { from: day('2030-01-31'), to: day('2030-01-31') }],
    ['from:7d', { from: day('2030-01-24') }],
    ['from:2030-01-31T12:00:00Z', { from: new Date('2030-01-31T12:00:00Z') }],
    ['from:tomorrow-ish', { unclear: ['from:tomorrow-ish'] }],
    ['has:file', { hasFile: true }],
    ['has:fun', { unclear: ['has:fun'] }],
    ['email:Jane@Example.com', { visitors: ['Jane@example.com'] }],
    ['"email":Jane "From":Oslo', { values: fields({ email: 'Jane', From: 'Oslo' }) }],
    ['city:"New York"', { values: [{ name: 'city', text: 'New York' }] }],
    ['"Your name":Jane', { values: [{ name: 'Your name', text: 'Jane' }] }],
    ['visitor:Jane@Example.com', { visitors: ['Jane@example.com'] }],
    ['visitor:jane', { unclear: ['visitor:jane'] }],
    ['page:/contact page:none', { pages: ['/contact', ''] }],
    ['page:https://example.com/a%20b?c=d#e', { pages: ['/a%20b'] }],
    ['page:"/a b"', { pages: ['/a%20b'] }],
    ['page:contact', { unclear: ['page:contact'] }],
    ['origin:https://Example.com/x origin:none', { origins: ['https://example.com', ''] }],
    ['origin:www.example.com', { origins: ['https://www.example.com'] }],
    ['origin:ftp://example.com', { unclear: ['origin:ftp://example.com'] }],
    ['country:de', { countries: ['DE'] }],
    ['country:Germany', { unclear: ['country:Germany'] }],
    ['https://example.com/?a=b:c', { words: ['https://example.com/?a=b:c'] }],
    ['at 12:30', { words: ['at', '12:30'] }],
    [':x', { words: [':x'] }],
    ['name:', { words: ['name:'] }],
    ['cake -support', { words: ['cake'], unclear: ['-support'] }],
    ['-is:spam -"two words"', { unclear: ['-is:spam', '-"two words"'] }],
    [
      '"-support" -5 - -- e-mail re: -10:30',
      { words: ['-support', '-5', '-', '--', 'e-mail', 're:'], values: fields({ '-10': '30' }) },
    ],
  ])('%j', (line, expected) => {
    expect(parseFilterLine(line, NOW)).toEqual({ ...NOTHING, ...expected });
  });

  it.each([
    ['today', 'Pacific/Kiritimati', '2030-01-31T10:00:00Z'],
    ['1d', 'Pacific/Kiritimati', '2030-01-30T10:00:00Z'],
    ['today', 'America/New_York', '2030-01-31T05:00:00Z'],
    ['2030-01-01', 'America/New_York', '2030-01-01T05:00:00Z'],
    ['2029-07-01', 'America/New_York', '2029-07-01T04:00:00Z'],
    ['2030-01-01T12:00:00Z', 'America/New_York', '2030-01-01T12:00:00Z'],
  ])('means by %s in %s the moment %s', (text, zone, moment) => {
    const { from, to } = parseFilterLine(`from:${text} to:${text}`, NOW, zone);
    expect([from, to]).toEqual([new Date(moment), new Date(moment)]);
    const everywhere = withMoments(`x from:${text} "from":1d`, NOW, zone);
    expect(everywhere).toBe(`x from:${moment} "from":1d`);
  });

  it('reads anything without an error, and never loses a form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (line) => {
        expect(parseFilterLine(`${line.replaceAll('"', '')} form:x`, NOW).forms).toContain('x');
      }),
    );
  });

  it.each([
    ['topic', 'sales', 'topic:sales'],
    ['email', 'jane@example.com', '"email":jane@example.com'],
    ['Page', 'two words', '"Page":"two words"'],
    ['Your name', 'Jo', '"Your name":Jo'],
    ['a:b', 'c', '"a:b":c'],
    ['12', 'c', null],
    ['-a', 'c', '"-a":c'],
  ])('asks for %j with %j by %j', (name, value, part) => {
    expect(valuePart(name, value)).toBe(part);
  });

  it('keeps the field that is called as a word of its own when that is replaced', () => {
    expect(withParts('form:a "form":b c', 'form', ['form:d'])).toBe('form:d "form":b c');
  });

  it('is written so that it is read back', () => {
    const text = fc.string({ minLength: 1 }).filter((each) => !/["]/.test(each) && each.trim() !== '');
    fc.assert(
      fc.property(text, (value) => {
        expect(parseFilterLine(filterPart('form', value), NOW).forms).toEqual([value]);
      }),
    );
  });
});
