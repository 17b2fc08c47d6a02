import { gzipSync } from 'node:zlib';
import { useService } from '../support/service.js';
import { storedFiles } from '../support/stored-files.js';
import { RawClient, requestText } from '../support/raw-client.js';
import { Inbox, json, multipart, urlencoded, type Sent, type SentFile } from '../support/submit.js';

const BODY = 4_096;
const VALUE = 1_000;
const FIELDS = 5;
const NAME = 20;
const DEPTH = 3;
const FILES = 2;
const FILE = 3_000;
const UPLOAD = 5_000;

const service = useService({
  MAX_BODY_BYTES: String(BODY),
  MAX_FIELD_VALUE_BYTES: String(VALUE),
  MAX_FIELDS: String(FIELDS),
  MAX_FIELD_NAME_BYTES: String(NAME),
  MAX_JSON_DEPTH: String(DEPTH),
  MAX_FILES: String(FILES),
  MAX_FILE_BYTES: String(FILE),
  MAX_UPLOAD_BYTES: String(UPLOAD),
});
let inbox: Inbox;
beforeEach(async () => {
  inbox = await Inbox.open(service());
});

const ENCODINGS = [
  ['urlencoded', urlencoded],
  ['multipart', multipart],
  ['JSON', json],
] as const;
const times = <Item>(count: number, item: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => item(index));
const pairs = (count: number) => times(count, (index) => [`f${index}`, 'x'] as const);

/** Submits what is one past a limit, which must leave nothing behind. */
async function refuse(sent: Sent, status: number, code: string): Promise<void> {
  const before = [await inbox.all(), await storedFiles(service().config)];
  const answer = await inbox.submit(sent);
  expect({ status: answer.status, errors: answer.body.errors }).toMatchObject({ status, errors: [{ code }] });
  expect([await inbox.all(), await storedFiles(service().config)]).toEqual(before);
}

describe.each(ENCODINGS)('In %s (S-02)', (_, encode) => {
  it('as many fields as allowed are stored, and one more is refused', async () => {
    await refuse(encode(pairs(FIELDS + 1)), 422, 'TOO_MANY_FIELDS');
    expect(await inbox.values(encode(pairs(FIELDS)))).toEqual(Object.fromEntries(pairs(FIELDS)));
  });

  it('a name as long as allowed is stored, and one byte more is refused', async () => {
    for (const [letter, bytes] of [
      ['x', 1],
      ['é', 2],
    ] as const) {
      const name = letter.repeat(NAME / bytes);
      await refuse(encode([[`${name}x`, '1']]), 422, 'FIELD_NAME_TOO_LONG');
      expect(await inbox.values(encode([[name, '1']]))).toEqual({ [name]: '1' });
    }
  });

  it('a value as long as allowed is stored whole, and one byte more is refused', async () => {
    for (const [letter, bytes] of [
      ['x', 1],
      ['é', 2],
      ['"', 1],
      ['\u0001', 1],
    ] as const) {
      // A byte may take six in JSON's own writing, and the whole has its limit too.
      const length = letter === '\u0001' ? 500 : VALUE;
      const value = letter.repeat(length / bytes);
      if (length === VALUE) await refuse(encode([['a', `${value}x`]]), 422, 'FIELD_TOO_LONG');
      expect(await inbox.values(encode([['a', value]]))).toEqual({ a: value });
    }
  });

  it('a refusal names the field in its own letters, and none when it is about them all', async () => {
    const named = (field: string | null, end: string) => [{ field, message: expect.stringContaining(end) }];
    const errorsOf = async (fields: (readonly [string, string])[]) => (await inbox.submit(encode(fields))).body.errors;

    const value = 'x'.repeat(VALUE + 1);
    expect(await errorsOf([['Größe', value]])).toMatchObject(named('Größe', '“Größe” is longer than 1000 bytes.'));
    const name = 'é'.repeat(NAME / 2 + 1);
    expect(await errorsOf([[name, '1']])).toMatchObject(named(name, 'longer than 20 bytes.'));
    expect(await errorsOf(pairs(FIELDS + 1))).toMatchObject(named(null, 'more than 5 fields.'));
  });
});

describe('A body (S-02)', () => {
  const filled = (length: number) => {
    const body = times(FIELDS - 1, (index) => `${index}=${'x'.repeat(VALUE - 10)}`).join('&');
    return { type: 'application/x-www-form-urlencoded', body: `${body}&a=`.padEnd(length, 'x') };
  };

  it('as large as allowed is stored whole, and one byte more is refused', async () => {
    await refuse(filled(BODY + 1), 413, 'TOO_LARGE');
    expect((await inbox.values(filled(BODY))).a).toHaveLength(BODY - filled(0).body.length);
  });

  it('of multipart is measured without its files and headers', async () => {
    const size = VALUE - 1;
    const fields = times(4, (index) => [String(index), 'x'.repeat(size)] as const);
    const left = BODY - fields.length * (size + 1) - 1;
    const file = { field: 'f', name: 'f', bytes: 'x'.repeat(FILE) };
    await refuse(multipart([...fields, ['a', 'x'.repeat(left + 1)]], [file]), 413, 'TOO_LARGE');
    await inbox.accept(multipart([...fields, ['a', 'x'.repeat(left)]], [file]));
  });

  it('that announces too much is refused before it is sent', async () => {
    const path = `/f/${inbox.form.identifier}`;
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const client = await RawClient.to(service().url);
      client.write(requestText(path, [`Content-Type: ${type}`, 'Content-Length: 99999999']));
      await client.until(/^HTTP\/1\.1 413 .*"code":413/s);
      await client.abort();
    }
  });

  it('without an announced length is refused once it is too large', async () => {
    const path = `/f/${inbox.form.identifier}`;
    const chunk = `400\r\n${'x'.repeat(1_024)}\r\n`;
    const client = await RawClient.to(service().url);
    const type = 'Content-Type: application/x-www-form-urlencoded';
    client.write(requestText(path, [type, 'Transfer-Encoding: chunked'], `2\r\na=\r\n`));
    client.write(chunk.repeat(5));
    await client.until(/^HTTP\/1\.1 413 /);
    client.write('0\r\n\r\n');
    client.write(requestText(path, [type, 'Content-Length: 3', 'Connection: close'], 'a=1'));
    expect(await client.closed).toMatch(/^HTTP\/1\.1 413 .*HTTP\/1\.1 200 /s);
    expect(await inbox.all()).toMatchObject([{ values: { a: '1' } }]);
  });

  it('that is compressed is refused unread (S-05)', async () => {
    const bomb = gzipSync(Buffer.alloc(10 * 1024 * 1024));
    for (const encoding of ['gzip', 'deflate', 'br', 'x']) {
      const headers = { 'Content-Encoding': encoding };
      const body = bomb.subarray(0, BODY);
      await refuse({ ...urlencoded([]), body, headers }, 415, 'UNKNOWN_ENCODING');
    }
  });
});

it('JSON as deep as allowed is stored, and one level more is refused (S-02)', async () => {
  const nested = (depth: number) => ({
    type: 'application/json',
    body: `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`,
  });
  for (const depth of [DEPTH + 1, 1_000]) await refuse(nested(depth), 422, 'TOO_DEEP');
  expect(await inbox.values(nested(DEPTH))).toEqual({ a: [[]] });
  expect(await inbox.values(json([['a', '[[[[[[{{{{']]))).toEqual({ a: '[[[[[[{{{{' });
});

describe('Files (S-02)', () => {
  const file = (size: number, field = 'f'): SentFile => ({ field, name: 'f', bytes: 'x'.repeat(size) });

  it.each<[string, SentFile[], SentFile[], number, string]>([
    ['as many', times(FILES + 1, () => file(1)), times(FILES, () => file(1)), 422, 'TOO_MANY_FILES'],
    ['one as large', [file(FILE + 1)], [file(FILE)], 413, 'FILES_TOO_BIG'],
    ['together as large', [file(2_001), file(FILE)], [file(2_000), file(FILE)], 413, 'FILES_TOO_BIG'],
    [
      'under a name as long',
      [file(1), file(1, 'x'.repeat(NAME + 1))],
      [file(1), file(1, 'x'.repeat(NAME))],
      422,
      'FIELD_NAME_TOO_LONG',
    ],
  ])('%s as allowed are stored whole, and one past it leaves none', async (...row) => {
    const [, refused, accepted, status, code] = row;
    await refuse(multipart([['a', '1']], refused), status, code);

    const { submission } = await inbox.read(await inbox.accept(multipart([], accepted)));
    expect(submission.files.map(({ size }) => size)).toEqual(accepted.map(({ bytes }) => bytes.length));
  });

  it('are named as they were when one is refused', async () => {
    const { text } = await inbox.submit({
      ...multipart([], [{ ...file(FILE + 1), name: 'Größe.pdf' }]),
      headers: { Accept: 'text/html' },
    });
    expect(text).toContain('The file “Größe.pdf” is larger than 2.9 KiB.');
  });
});
