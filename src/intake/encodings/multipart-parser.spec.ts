import { MultipartParser } from './multipart-parser.js';

const MAX_NAME_BYTES = 256;
const BOUNDARY = 'x';

async function* cut(body: string, size: number): AsyncGenerator<Buffer, undefined> {
  for (let at = 0; at < body.length; at += size) {
    yield await Promise.resolve(Buffer.from(body.slice(at, at + size), 'latin1'));
  }
}

async function parse(body: string, size = body.length || 1, boundary = BOUNDARY) {
  const found: { headers: [string, string][]; empty: boolean; body: string }[] = [];
  for await (const part of new MultipartParser(boundary, cut(body, size), MAX_NAME_BYTES).parts()) {
    const empty = await part.isEmpty();
    let text = '';
    for await (const chunk of part.body()) text += chunk.toString('latin1');
    found.push({ headers: [...part.headers], empty, body: text });
  }
  return found;
}

const BODY =
  'preamble\r\n--x\r\nA: 1\r\nB-b:  two \r\n\r\none\r\n--\r\n--y\r\n--x  \r\n\r\n\r\n--x\r\nC:3\r\n\r\n\r\n\r\n--x--\r\nepilogue';
const PARTS = [
  {
    headers: [
      ['a', '1'],
      ['b-b', 'two'],
    ],
    empty: false,
    body: 'one\r\n--\r\n--y',
  },
  { headers: [], empty: true, body: '' },
  { headers: [['c', '3']], empty: false, body: '\r\n' },
];

describe('A multipart body (S-03)', () => {
  it('is cut into the same parts however it comes in', async () => {
    for (let size = 1; size <= BODY.length; size++) {
      expect({ size, parts: await parse(BODY, size) }).toEqual({ size, parts: PARTS });
    }
  });

  it('may have no parts, and its boundary quotes', async () => {
    expect(await parse('--x--')).toEqual([]);
    expect(await parse('--a b\r\n\r\n1\r\n--a b--', 1, 'a b')).toMatchObject([{ body: '1' }]);
  });

  it('goes on behind a part of which nothing was read', async () => {
    const seen: string[] = [];
    const parser = new MultipartParser(BOUNDARY, cut(BODY, 3), MAX_NAME_BYTES);
    for await (const { headers } of parser.parts()) seen.push([...headers.keys()].join());
    expect(seen).toEqual(['a,b-b', '', 'c']);
  });

  it('may have the longest name of a field, each of its characters escaped, and a file name', async () => {
    const name = '%22'.repeat(MAX_NAME_BYTES);
    const header = `Content-Disposition: form-data; name="${name}"; filename="${'f'.repeat(3 * 1024)}"`;
    expect(await parse(`--x\r\n${header}\r\n\r\n1\r\n--x--`)).toMatchObject([{ body: '1' }]);
  });

  it.each([
    ['nothing', ''],
    ['no delimiter', 'a=1&b=2'],
    ['an end in the headers', '--x\r\nA: 1\r\n'],
    ['an end in a part', '--x\r\n\r\nabc'],
    ['an end in a delimiter', '--x\r\n\r\nabc\r\n--x'],
    ['a header without a colon', '--x\r\nabc\r\n\r\n1\r\n--x--'],
    ['text behind a delimiter', '--xyz\r\n\r\n1\r\n--x--'],
    ['too many headers', `--x\r\n${'A: 1\r\n'.repeat(33)}\r\n1\r\n--x--`],
    ['too long a header', `--x\r\nA: ${'1'.repeat(5 * 1024)}\r\n\r\n1\r\n--x--`],
  ])('is refused for %s', async (_, body) => {
    for (const size of [1, 7, body.length || 1]) {
      await expect(parse(body, size)).rejects.toThrow('ended early or is malformed');
    }
  });
});
