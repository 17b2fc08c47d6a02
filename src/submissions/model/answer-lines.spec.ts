import fc from 'fast-check';
import { answerLines, lineLabel, embeddedBytes, embeddedFile } from './preview.js';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

/** The lines of a JSON body, as a person reads them. */
const linesOf = (body: string) => {
  const values = Object.entries(JSON.parse(body) as object).map(([name, value]) => ({
    name,
    json: JSON.stringify(value),
  }));
  return answerLines(values).map(({ name, path, text }) => `${lineLabel(name, path)}: ${text}`);
};

describe('The lines of a submission', () => {
  it.each([
    ['a plain field', '{"name":"Ann","seats":2}', ['name: Ann', 'seats: 2']],
    [
      'objects in objects',
      '{"data":{"name":"Ann","address":{"street":"1 Mill Lane","town":"Bath"}}}',
      ['data, name: Ann', 'data, address, street: 1 Mill Lane', 'data, address, town: Bath'],
    ],
    ['lists of plain values', '{"days":["Mon","Tue"],"of":{"n":[1,2.50]}}', ['days: Mon, Tue', 'of, n: 1, 2.5']],
    [
      'lists of objects',
      '{"Items":[{"name":"Cake","tags":["a","b"]},{"name":"Tea"}]}',
      ['Items 1, name: Cake', 'Items 1, tags: a, b', 'Items 2, name: Tea'],
    ],
    ['lists in lists', '{"rows":[["a","b"],["c"]]}', ['rows 1: a, b', 'rows 2: c']],
    ['nothing', '{"none":{},"list":[],"in":{"it":null}}', ['none: ', 'list: ', 'in, it: null']],
  ])('are one for each value of %s', (_, body, lines) => {
    expect(linesOf(body)).toEqual(lines);
  });

  it('keep numbers and repeated names as they were sent', () => {
    const json = '{"id":12345678901234567890,"a":"x","a":"y","ö":"\\u00f6"}';
    const texts = answerLines([{ name: 'order', json }]).map(({ text }) => text);

    expect(texts).toEqual(['12345678901234567890', 'x', 'y', 'ö']);
  });

  it('are JSON for what is too deep or too much', () => {
    const deep = `${'{"a":'.repeat(9)}"x"${'}'.repeat(9)}`;
    const items = (count: number) => JSON.stringify(Array.from({ length: count }, () => ({ n: 'x' })));

    expect(answerLines([{ name: 'deep', json: deep }])).toEqual([
      expect.objectContaining({ path: Array(6).fill('a'), text: '{"a":{"a":{"a":"x"}}}' }),
    ]);
    expect(answerLines([{ name: 'many', json: items(300) }])).toEqual([
      expect.objectContaining({ path: [], text: items(300) }),
    ]);
    expect(answerLines([{ name: 'some', json: items(100) }])).toHaveLength(100);
  });

  it('are bounded, whatever is sent', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ maxDepth: 9 })), (values) => {
        const sent = values.map((value) => ({ name: 'x', json: JSON.stringify(value) }));
        const { length } = answerLines(sent);
        expect(length).toBeGreaterThanOrEqual(values.length);
        expect(length).toBeLessThanOrEqual(values.length + 200);
      }),
    );
  });
});

describe('A file that is sent as text', () => {
  it.each([
    ['a picture', `data:image/png;base64,${PIXEL}`, 'image, 70 bytes'],
    ['a picture with parameters', `data:image/PNG;name="me.png";base64,${PIXEL}`, 'image, 70 bytes'],
    ['a document', `data:application/pdf;base64,${'QUJD'.repeat(600)}`, 'file (application/pdf), 1.8 KiB'],
    ['what a page could run', `data:image/svg+xml;base64,${PIXEL}`, 'file (image/svg+xml), 70 bytes'],
    ['what is not base64', `data:text/html,${'<b>x</b>'.repeat(128)}`, 'file (text/html), 1 KiB'],
  ])('is named where it is %s', (_, source, text) => {
    const nested = answerLines([{ name: 'x', json: JSON.stringify([{ sign: [source] }]) }]);
    const [plain] = answerLines([{ name: 'x', json: JSON.stringify(source) }]);

    expect(plain).toMatchObject({ text, embedded: { source } });
    expect(nested).toEqual([expect.objectContaining({ path: [1, 'sign', 1], text })]);
  });

  it.each([
    'data: what I have',
    'data:text/plain,hello',
    `data:image/png;base64,${PIXEL}, and more words.`,
    `see data:image/png;base64,${PIXEL}`,
  ])('is not %j', (text) => {
    expect(answerLines([{ name: 'x', json: JSON.stringify(text) }])).toEqual([
      expect.objectContaining({ text, embedded: null }),
    ]);
  });

  it('has its bytes', () => {
    const bytesOf = (source: string) => {
      const file = embeddedFile(source);
      return file && embeddedBytes(file).toString('base64');
    };

    expect(bytesOf(`data:image/png;base64,${PIXEL}`)).toBe(PIXEL);
    expect(bytesOf(`data:image/png;base64,${encodeURIComponent(PIXEL)}`)).toBe(PIXEL);
    expect(bytesOf(`data:text/plain,${'%C3%B6'.repeat(50)}`)).toBe(btoa('\xc3\xb6'.repeat(50)));
  });
});
