import { beforeEach, describe, expect, it } from '@jest/globals';
import { memberOf, pairsOf, readOrdered } from './support/json-reader.js';
import { useService } from './support/service.js';
import { Inbox, json, multipart, rawMultipart, urlencoded, type Sent } from './support/submit.js';

const URLENCODED = 'application/x-www-form-urlencoded';

const service = useService();
let inbox: Inbox;
beforeEach(async () => {
  inbox = await Inbox.open(service());
});

const read = async (sent: Sent) => (await inbox.read(await inbox.accept(sent))).text;

const ODD = [
  ['z', '1'],
  ['a', '2'],
  ['10', 'ten'],
  ['9', 'nine'],
  ['z', '3'],
  ['__proto__', 'x'],
  ['a[b][c]', 'x'],
  ['Nome', 'Zoë'],
  ['_name', 'x'],
  ['_captcha', 'false'],
  ['_next', 'https://example.com'],
  ['a b', ' '],
  ['', 'nameless'],
  ['empty', ''],
  ['😀', '👩‍👩‍👧'],
] as const;

describe('Fields as HTML sends them', () => {
  it.each([
    ['urlencoded', urlencoded],
    ['multipart', multipart],
    ['JSON', json],
  ])('keep order, repeated names and every name when %s', async (_, encode) => {
    const [first, ...rest] = ODD.filter(([name]) => name !== 'z');
    expect(pairsOf(await read(encode(ODD)))).toEqual([['z', '1'], ['z', '3'], first, ...rest]);
  });

  it('show a name that came once as its value, and one that came again as the list', async () => {
    for (const encode of [urlencoded, multipart, json]) {
      const sent = encode([
        ['colour', 'red'],
        ['size', 'L'],
        ['colour', 'blue'],
      ]);
      expect(await inbox.values(sent)).toEqual({ colour: ['red', 'blue'], size: 'L' });
    }
  });

  it.each([
    ['a=1&&b=2&', { a: '1', b: '2' }],
    ['a', { a: '' }],
    ['=1', { '': '1' }],
    ['a=b=c', { a: 'b=c' }],
    ['a=1+2%2B3', { a: '1 2+3' }],
    ['100%=5%zz%4', { '100%': '5%zz%4' }],
    ['%61%5B%5D=1', { 'a[]': '1' }],
    ['a;b=1', { 'a;b': '1' }],
  ])('are read from %s as the URL standard says', async (body, values) => {
    expect(await inbox.values({ type: URLENCODED, body })).toEqual(values);
  });

  it('are taken with a trailing slash and with a query', async () => {
    for (const suffix of ['/', '?utm=1', '/?a=b']) {
      expect((await inbox.submit(urlencoded([['a', '1']]), suffix)).status).toBe(200);
    }
    expect((await inbox.all()).map(({ values }) => values)).toEqual(Array(3).fill({ a: '1' }));
  });
});

describe('Files', () => {
  it('come with fields, each under its name, with its size and hash', async () => {
    const files = [
      {
        field: 'cv',
        name: 'naïve "1".pdf',
        bytes: Buffer.from([0, 1, 2, 255]),
        type: 'application/pdf',
      },
      { field: 'cv', name: '', bytes: 'x' },
      { field: 'photo', name: '空.png', bytes: '', type: 'image/png; x=1' },
    ];
    const { submission } = await inbox.read(await inbox.accept(multipart([['a', '1']], files)));

    expect(submission.values).toEqual({ a: '1' });
    expect(submission.files).toMatchObject([
      { field: 'cv', name: 'naïve "1".pdf', type: 'application/pdf', size: 4 },
      { field: 'cv', name: '', type: 'application/octet-stream', size: 1 },
      { field: 'photo', name: '空.png', type: 'image/png', size: 0 },
    ]);
    expect(submission.files[0]?.sha256).toBe(
      '3d1f57c984978ef98a18378c8166c1cb8ede02c03eeb6aee7e2f121dfeee3e56',
    );
  });

  it('that were not chosen are ignored', async () => {
    const none = { field: 'cv', name: '', bytes: '' };
    const id = await inbox.accept(multipart([['a', '1']], Array(12).fill(none)));
    expect((await inbox.read(id)).submission).toMatchObject({ values: { a: '1' }, files: [] });
  });

  it('alone are a submission', async () => {
    const id = await inbox.accept(multipart([], [{ field: 'cv', name: 'a', bytes: 'x' }]));
    expect((await inbox.read(id)).submission).toMatchObject({ values: {}, files: [{ name: 'a' }] });
  });
});

describe('Multipart from programs', () => {
  it.each([
    ['name="a"\r\nContent-Type: text/plain; charset=utf-8', 'Ã©日本', 'a', 'Ã©日本'],
    ['name=a', 'x', 'a', 'x'],
    ['name="a\\"b"', 'x', 'a"b', 'x'],
    ['name="dir\\"', 'x', 'dir\\', 'x'],
    ["name*=UTF-8''na%C3%AFve", 'x', 'naïve', 'x'],
    ['size=1', 'nameless', '', 'nameless'],
  ])('is understood: %s', async (head, value, name, shown) => {
    const part = `Content-Disposition: form-data; ${head}\r\n\r\n${value}`;
    expect(await inbox.values(rawMultipart([part]))).toEqual({ [name]: shown });
  });

  it('keeps the value of a part that has no headers', async () => {
    expect(await inbox.values(rawMultipart(['\r\nx']))).toEqual({ '': 'x' });
  });

  it('may name a file for newer programs', async () => {
    const head = `Content-Disposition: form-data; name="f"; filename="_"; filename*=UTF-8''%C3%BC.txt`;
    const id = await inbox.accept(rawMultipart([`${head}\r\n\r\nx`]));
    expect((await inbox.read(id)).submission.files).toMatchObject([{ field: 'f', name: 'ü.txt' }]);
  });

  it.each([
    ['no boundary', { type: 'multipart/form-data', body: 'x' }],
    ['no parts', { ...rawMultipart([]), body: 'x' }],
    ['no end', { ...rawMultipart([]), body: rawMultipart(['\r\nx']).body?.slice(0, -4) }],
    [
      'a name nobody can read',
      rawMultipart(['Content-Disposition: form-data; name="a" b\r\n\r\nx']),
    ],
  ])('is refused with 400 when it has %s', async (_, sent) => {
    const { status, body } = await inbox.submit(sent);
    expect({ status, code: body.code }).toEqual({ status: 400, code: 400 });
    expect(await inbox.all()).toEqual([]);
  });
});

describe('JSON', () => {
  it('keeps nesting, the text of numbers, repeated names and their order', async () => {
    const values =
      '{"10":1,"9":12345678901234567890,"n":1.0,"e":1e400,"o":{"b":[1,{"2":0,"1":-0}],"b":{}},"t":true,"z":null}';
    const text = await read({ type: 'application/json', body: ` ${values} ` });
    expect(memberOf(readOrdered(text), 'values')).toEqual(readOrdered(values));

    const twice = await read({ type: 'application/json', body: '{"a":1,"b":{"c":2},"a":[3]}' });
    expect(memberOf(readOrdered(twice), 'values')).toEqual(
      readOrdered('{"a":[1,[3]],"b":{"c":2}}'),
    );
  });

  it.each([
    ['application/json'],
    ['Application/JSON; charset=UTF-8'],
    ['application/vnd.api+json'],
    ['text/plain;charset=UTF-8'],
    ['text/plain'],
    [undefined],
  ])('is recognised under the type %s', async (type) => {
    const values = await inbox.values({ type, body: '\ufeff{"a":"ü"}' });
    expect(values).toEqual({ a: 'ü' });
  });

  it.each(['[]', '[{"a":1}]', '"a"', '1', 'null', '', '{', '{"a":}', "{'a':1}", '{"a":1} {}'])(
    'that is %s is refused with 400 and an example',
    async (body) => {
      const { status, text } = await inbox.submit({ type: 'application/json', body });
      expect({ status, text }).toEqual({ status: 400, text: expect.stringContaining('jane@') });
    },
  );
});

describe('JSON under the type of a form', () => {
  it.each([URLENCODED, `${URLENCODED}; charset=UTF-8`])('is read as JSON: %s', async (type) => {
    for (const [body, values] of [
      ['{"a":1}', { a: 1 }],
      [' \r\n{"a":"1&b=2","c":{"d":"=+%41"}}\n', { a: '1&b=2', c: { d: '=+%41' } }],
      ['\ufeff{"a":"ü"}', { a: 'ü' }],
    ] as const) {
      expect(await inbox.values({ type, body })).toEqual(values);
    }
  });

  it.each([
    ['{"a":1', { '{"a":1': '' }],
    ['{"a":1}&b=2', { '{"a":1}': '', b: '2' }],
    ['{a}', { '{a}': '' }],
    ['{}=1', { '{}': '1' }],
    ['[1]', { '[1]': '' }],
    ['%7B%22a%22%3A1%7D', { '{"a":1}': '' }],
    [`${'{'.repeat(100)}}`, { [`${'{'.repeat(100)}}`]: '' }],
  ])('that is none stays what it is: %s', async (body, values) => {
    expect(await inbox.values({ type: URLENCODED, body })).toEqual(values);
  });
});

describe('A form with enctype="text/plain"', () => {
  it.each([
    ['a=1\r\nb=2\r\n', { a: '1', b: '2' }],
    ['a=1', { a: '1' }],
    ['a=\r\n=x\r\n', { a: '', '': 'x' }],
    ['a=1=2&b=+%41\r\n', { a: '1=2&b=+%41' }],
    ['text=One\r\n\r\nTwo\r\nname=Zoë\r\n', { text: 'One\r\n\r\nTwo', name: 'Zoë' }],
    ['a=1\r\na=2\r\n', { a: ['1', '2'] }],
    ['a=1\nb=2\n', { a: '1', b: '2' }],
  ])('is read line by line: %j', async (body, values) => {
    expect(await inbox.values({ type: 'text/plain', body })).toEqual(values);
  });

  it('is read in its charset', async () => {
    const body = Buffer.from([...Buffer.from('_charset_=iso-8859-15\r\na='), 0xa4, 0x0d, 0x0a]);
    expect(await inbox.values({ type: 'text/plain', body })).toMatchObject({ a: '€' });
  });
});

it.each([
  ['application/xml', '<a/>'],
  ['text/plain', 'Hello'],
  ['text/plain', 'Hello\r\na=1'],
  ['text/html', '{"a":1}'],
  [undefined, 'a=1'],
  ['application/octet-stream', '{}'],
  ['nonsense', '{}'],
])('A body of the type %s is refused with 415 and what to do', async (type, body) => {
  const answer = await inbox.submit({ type, body });
  expect(answer.status).toBe(415);
  expect(answer.body.message).toMatch(/application\/x-www-form-urlencoded.*enctype/s);
});

describe('An empty submission is refused with 422', () => {
  it.each<[string, Sent]>([
    ['without a body', { type: URLENCODED, body: '' }],
    ['without a body and without a type', { type: undefined, body: '' }],
    ['of no fields in JSON', json([])],
    ['of no parts', multipart([])],
    ['of an unchosen file', multipart([], [{ field: 'f', name: '', bytes: '' }])],
    ['of a captcha token alone', urlencoded([['g-recaptcha-response', 'x']])],
  ])('%s', async (_, sent) => {
    const { status, body } = await inbox.submit(sent);
    expect(status).toBe(422);
    expect(body.errors).toMatchObject([{ code: 'EMPTY' }]);
    expect(await inbox.all()).toEqual([]);
  });

  it('but not one whose fields were left blank', async () => {
    expect(await inbox.values(urlencoded([['a', '']]))).toEqual({ a: '' });
  });
});

const bytes = (text: string) => Buffer.from(text, 'latin1');

describe('Text that is not UTF-8', () => {
  it.each<[string, Sent, Record<string, string>]>([
    ['the type', { type: `${URLENCODED}; charset=Shift_JIS`, body: 'a=%93%FA' }, { a: '日' }],
    [
      'the type',
      { type: 'application/json; charset="iso-8859-1"', body: bytes('{"a":"\xe9"}') },
      { a: 'é' },
    ],
    [
      '_charset_',
      { type: URLENCODED, body: 'a=%A4&_charset_=iso-8859-15' },
      { a: '€', _charset_: 'iso-8859-15' },
    ],
    ['nobody', { type: URLENCODED, body: 'a=%93x%94+%E9&b=%C3%A9' }, { a: '“x” é', b: 'é' }],
    ['nobody', { type: 'application/json', body: bytes('{"a":"\xe9"}') }, { a: 'é' }],
  ])('is read as %s says', async (_, sent, values) => {
    expect(await inbox.values(sent)).toEqual(values);
  });

  it('is read in multipart as the type, a part or _charset_ says', async () => {
    const part = (head: string, value: string) =>
      bytes(`Content-Disposition: form-data; name="${head}\r\n\r\n${value}`);
    const declared = { ...rawMultipart([part('\xe9"', '\xe9')]) };
    declared.type = `${declared.type ?? ''}; charset=windows-1252`;
    expect(await inbox.values(declared)).toEqual({ é: 'é' });

    const own = part('a"\r\nContent-Type: text/plain; charset=shift_jis', '\x93\xfa');
    expect(await inbox.values(rawMultipart([own]))).toEqual({ a: '日' });

    const field = rawMultipart([part('a"', '\xa4'), part('_charset_"', 'iso-8859-15')]);
    expect(await inbox.values(field)).toEqual({ a: '€', _charset_: 'iso-8859-15' });

    expect(await inbox.values(rawMultipart([part('a"', '\x93x\x94')]))).toEqual({ a: '“x”' });
  });

  it('in a charset nobody knows is refused with 415 and its name', async () => {
    for (const type of [`${URLENCODED}; charset=klingon`, 'application/json; charset=klingon']) {
      const { status, text } = await inbox.submit({ type, body: '{"a":1}' });
      expect({ status, text }).toEqual({ status: 415, text: expect.stringContaining('klingon') });
    }
  });
});
