import { memberOf, pairsOf, readOrdered } from '../support/json-reader.js';
import { useService } from '../support/service.js';
import { Inbox, json, multipart, rawMultipart, urlencoded, type Sent } from '../support/submit.js';

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
      { field: 'cv', name: 'naïve "1".pdf', bytes: Buffer.from([0, 1, 2, 255]), type: 'application/pdf' },
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
    expect(submission.files[0]?.sha256).toBe('3d1f57c984978ef98a18378c8166c1cb8ede02c03eeb6aee7e2f121dfeee3e56');
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
    ['a name nobody can read', rawMultipart(['Content-Disposition: form-data; name="a" b\r\n\r\nx'])],
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
    expect(memberOf(readOrdered(twice), 'values')).toEqual(readOrdered('{"a":[1,[3]],"b":{"c":2}}'));
  });

  it.each([
    ['application/json'],
    ['Application/JSON; charset=UTF-8'],
    ['application/vnd.api+json'],
    ['text/plain;charset=UTF-8'],
    ['text/plain'],
    [undefined],
  ])('is recognised under the type %s', async (type) => {
    expect(await inbox.values({ type, body: '\ufeff{"a":"ü"}' })).toEqual({ a: 'ü' });
  });

  it.each(['[]', '[{"a":1}]', '"a"', '1', '', '{', '{"a":}', "{'a':1}", '{"a":1} {}'])(
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
  ['text/html', '{"a":1'],
  [undefined, 'a=1'],
  ['application/octet-stream', '--x\r\nContent-Disposition: attachment; name="a"\r\n\r\n1'],
  ['nonsense', '{'],
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
    ['the type', { type: 'application/json; charset="iso-8859-1"', body: bytes('{"a":"\xe9"}') }, { a: 'é' }],
    ['_charset_', { type: URLENCODED, body: 'a=%A4&_charset_=iso-8859-15' }, { a: '€' }],
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
    expect(await inbox.values(field)).toEqual({ a: '€' });

    expect(await inbox.values(rawMultipart([part('a"', '\x93x\x94')]))).toEqual({ a: '“x”' });
  });

  it.each(['utf8mb4', 'utf-8,gzip', 'ISO8859_1', 'klingon'])(
    'under the label %s, which names no charset, is read as without',
    async (label) => {
      const values = (type: string, body: string | Buffer) => inbox.values({ type: `${type}; charset=${label}`, body });
      expect(await values(URLENCODED, 'message=Gr%C3%BC%C3%9Fe')).toEqual({ message: 'Grüße' });
      expect(await values(URLENCODED, 'message=Gr%FC%DFe')).toEqual({ message: 'Grüße' });
      expect(await values('application/json', '{"a":"ü"}')).toEqual({ a: 'ü' });
      expect(await values(URLENCODED, `a=%C3%BC&_charset_=${label}`)).toEqual({ a: 'ü' });
    },
  );

  it.each([
    ['windows-1251', 'a=%CF%F0%E8+%26%239786%3B+%26%23252%3B', 'При ☺ ü'],
    ['Shift_JIS', 'a=%93%FA%26%239786%3B', '日☺'],
    ['iso-8859-1', 'a=%E9+%26%23128512%3B', 'é 😀'],
    ['gbk', 'a=%C8%D5%26%23128512%3B', '日😀'],
    // What the charset has was typed so, and so was what is no character.
    ['windows-1251', 'a=%26%231055%3B+%26%2365%3B+%26%2355296%3B', '&#1055; &#65; &#55296;'],
    ['utf-8', 'a=%26%239786%3B', '&#9786;'],
  ])('has the characters that a page in %s had to write as references: %s', async (charset, body, a) => {
    const sent = { type: URLENCODED, body: `${body}&_charset_=${charset}` };
    expect(await inbox.values(sent)).toEqual({ a });
    expect(await inbox.values({ type: `${URLENCODED}; charset=${charset}`, body })).toEqual({ a });
  });

  it('has references as they were typed in JSON', async () => {
    const type = 'application/json; charset=windows-1251';
    expect(await inbox.values({ type, body: '{"a":"&#9786;"}' })).toEqual({ a: '&#9786;' });
  });
});

describe('A body says itself what it is', () => {
  const PARTS = [
    'Content-Disposition: form-data; name="name"\r\n\r\nAnn',
    'Content-Disposition: form-data; name="message"\r\n\r\nHello there',
  ];
  const FIELDS = { name: 'Ann', message: 'Hello there' };

  it.each([
    'multipart/form-data',
    'multipart/form-data; boundary=----copied',
    'multipart/form-data; boundary=',
    URLENCODED,
    'application/json',
    'text/plain;charset=UTF-8',
    undefined,
  ])('when it is multipart under the type %s', async (type) => {
    const { body } = rawMultipart(PARTS);
    expect(await inbox.values({ type, body })).toEqual(FIELDS);
  });

  it('with its files', async () => {
    const { body } = multipart([['a', '1']], [{ field: 'f', name: 'a.txt', bytes: 'x'.repeat(9_999) }]);
    const id = await inbox.accept({ type: 'application/json', body });
    expect((await inbox.read(id)).submission).toMatchObject({
      values: { a: '1' },
      files: [{ field: 'f', name: 'a.txt', size: 9_999 }],
    });
  });

  it('and a value that looks like another is a value', async () => {
    const text = (rawMultipart(PARTS).body?.toString() ?? '').replaceAll('Boundary', 'Other');
    for (const encode of [urlencoded, multipart, json]) {
      expect(await inbox.values(encode([['a', text]]))).toEqual({ a: text });
      expect(await inbox.values(encode([['a', '{"b":1}']]))).toEqual({ a: '{"b":1}' });
    }
    const body = '--x\r\na=1\r\n';
    expect((await inbox.submit({ type: 'text/plain', body })).status).toBe(415);
  });

  it.each(['text/json', 'application/x-json', 'application/octet-stream', 'text/html', 'nonsense'])(
    'when it is JSON under the type %s',
    async (type) => {
      expect(await inbox.values({ type, body: '{"name":"Ann"}' })).toEqual({ name: 'Ann' });
    },
  );

  it.each(['text/plain;charset=UTF-8', 'application/json', 'application/octet-stream', undefined])(
    'when it is urlencoded under the type %s',
    async (type) => {
      const body = 'name=Ann&message=Hello+there%21';
      expect(await inbox.values({ type, body })).toEqual({ name: 'Ann', message: 'Hello there!' });
    },
  );

  it.each([
    ['a=1 & b=2', { a: '1 & b=2' }],
    ['a=1&b', { a: '1&b' }],
    ['a=1+1', { a: '1+1' }],
    ['a=1&b=2\r\n', { a: '1&b=2' }],
  ])('and text that nobody escaped is text: %j', async (body, values) => {
    expect(await inbox.values({ type: 'text/plain', body })).toEqual(values);
  });

  it.each([
    ['blob', 'f"; filename="blob'],
    ['blob', 'blob"; filename="x.json'],
    ['blob', 'blob'],
  ])('when its only part is JSON called %s: %s', async (_, name) => {
    const part = `Content-Disposition: form-data; name="${name}"\r\nContent-Type: application/json\r\n\r\n{"name":"Ann","n":1.0}`;
    const id = await inbox.accept(rawMultipart([part]));
    const { submission } = await inbox.read(id);
    expect(submission).toMatchObject({ values: { name: 'Ann', n: 1 }, files: [] });
  });

  it.each([
    ['another name', [['upload', 'data.json', '{"a":1}']], []],
    ['no object', [['blob', 'blob', '[1]']], []],
    ['a field beside it', [['blob', 'blob', '{"a":1}']], [['b', '2']]],
  ] as [string, [string, string, string][], [string, string][]][])(
    'and a file of JSON is a file with %s',
    async (_, files, fields) => {
      const parts = [
        ...files.map(
          ([field, name, text]) =>
            `Content-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: application/json\r\n\r\n${text}`,
        ),
        ...fields.map(([name, value]) => `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`),
      ];
      const { submission } = await inbox.read(await inbox.accept(rawMultipart(parts)));
      expect(submission.files).toHaveLength(1);
      expect(submission.values).toEqual(Object.fromEntries(fields));
    },
  );

  it.each([
    [URLENCODED, '[object FormData]'],
    [URLENCODED, '%5Bobject+FormData%5D='],
    ['text/plain;charset=UTF-8', '[object Object]'],
    ['application/json', '"[object FormData]"'],
    ['application/json', '{"data":"[object HTMLFormElement]"}'],
    ['application/json', 'undefined'],
    ['application/json', 'null'],
    ['text/plain', '[object Object],[object Object]'],
    [undefined, '[object URLSearchParams]'],
  ])('and is refused when it is the text of an object: %s, %s', async (type, body) => {
    const answer = await inbox.submit({ type, body });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toMatch(/script.*nothing.*new FormData\(form\).*JSON\.stringify/);
    expect(await inbox.all()).toEqual([]);
  });

  it('and such a text among answers is one', async () => {
    const pairs: [string, string][] = [
      ['name', 'Ann'],
      ['data', '[object Object]'],
      ['b', 'null'],
    ];
    expect(await inbox.values(urlencoded(pairs))).toEqual(Object.fromEntries(pairs));
  });
});

const quoted = (character: string) => `=${character.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`;

describe('A part that a mail library encoded', () => {
  const part = (encoding: string, bytes: string, head = 'name="message"') =>
    `Content-Disposition: form-data; ${head}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${bytes}`;

  it.each([
    ['base64', 'SGVsbG8gSsO2cmc=', 'Hello Jörg'],
    ['BASE64', 'SGVs\r\nbG8gSsO2\r\ncmc=\r\n', 'Hello Jörg'],
    ['quoted-printable', 'Hello J=C3=B6rg, a=\r\n line', 'Hello Jörg, a line'],
    ['quoted-printable', '1 = 1, =ZZ', '1 = 1, =ZZ'],
    ['8bit', 'SGVsbG8=', 'SGVsbG8='],
    // Nothing is lost of what only says that it is encoded.
    ['base64', 'Hello!', 'Hello!'],
  ])('as %s is read: %j', async (encoding, bytes, message) => {
    expect(await inbox.values(rawMultipart([part(encoding, bytes)]))).toEqual({ message });
  });

  it.each([
    ['base64', (text: string) => btoa(text).replace(/.{76}/g, '$&\r\n')],
    ['quoted-printable', (text: string) => text.replace(/[=\n\t]/g, quoted).replace(/ {2}/g, '$&=\r\n')],
  ])('as %s is read when it is a file', async (encoding, encode) => {
    const text = 'a line  = 1\n\t'.repeat(30_000);
    const sent = rawMultipart([part(encoding, encode(text), 'name="f"; filename="a.txt"')]);
    const { submission } = await inbox.read(await inbox.accept(sent));
    expect(submission.files).toMatchObject([{ name: 'a.txt', size: text.length }]);
    const path = `/api/v1/forms/${inbox.form.identifier}/submissions/${submission.id}/files` as const;
    const read = await inbox.owner
      .get(`${path}/${submission.files[0]?.id ?? ''}`)
      .buffer(true)
      .expect(200);
    expect(read.body.toString()).toBe(text);
  });

  it('is refused as a file that is not what it says', async () => {
    const sent = rawMultipart([part('base64', 'Hello!', 'name="f"; filename="a.txt"')]);
    const { status, body } = await inbox.submit(sent);
    expect({ status, message: body.message }).toMatchObject({
      status: 400,
      message: expect.stringContaining('base64'),
    });
  });
});
