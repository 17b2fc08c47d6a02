import { readSheet } from 'read-excel-file/node';
import request from 'supertest';
import { ExportService } from '../../src/jobs/exports/export.service.js';
import { readCsv } from '../support/csv.js';
import { refusal } from '../support/refusal.js';
import { useService, useOwner, useForm } from '../support/service.js';
import { storedNames } from '../support/stored-files.js';
import { pathOf } from '../support/submissions.js';
import { unzip } from '../support/unzip.js';

const FIXED = ['id', 'created_at', 'spam', 'trash', 'origin', 'files'];

const service = useService({ MAX_FIELDS: '10000' });
const owner = useOwner(service);
const form = useForm(owner);

/** The bytes of an export, whatever their type. */
const exported = async (ending: string, query = ''): Promise<Buffer> =>
  (
    await owner
      .get(`${pathOf(form)}.${ending}?${query}`)
      .responseType('blob')
      .expect(200)
  ).body;

async function csv(query = ''): Promise<string[][]> {
  const text = (await exported('csv', query)).toString('utf8');
  expect(text.startsWith('\uFEFF')).toBe(true);
  return readCsv(text.slice(1));
}

describe('A CSV export', () => {
  it('is UTF-8 for Excel, with a row for each submission, newest first', async () => {
    await service().submit(form, { name: 'Zoë', city: 'Köln' });
    const id = await service().submitFile(form, 'x', { name: 'cv é.pdf' });
    const [newest, oldest] = (await owner.list(form)).submissions;

    expect(await csv()).toEqual([
      [...FIXED, 'email', 'name', 'city'],
      [id, newest?.created_at, 'false', 'false', '', 'cv é.pdf', 'jane@example.com', '', ''],
      [oldest?.id, oldest?.created_at, 'false', 'false', '', '', '', 'Zoë', 'Köln'],
    ]);
  });

  it('has a column for every field that occurs, once', async () => {
    await service().submit(form, { a: '1', b: '2' });
    await service().submit(form, { b: '3', constructor: 'x' });
    await service().submitPairs(form, [
      ['__proto__', 'y'],
      ['id', 'mine'],
      ['', 'no name'],
    ]);

    const [header = [], ...rows] = await csv();

    expect(header.slice(FIXED.length)).toEqual(['__proto__', 'values.id', '', 'b', 'constructor', 'a']);
    expect(rows.map((row) => row.slice(FIXED.length))).toEqual([
      ['y', 'mine', 'no name', '', '', ''],
      ['', '', '', '3', 'x', ''],
      ['', '', '', '2', '', '1'],
    ]);
  });

  it('keeps every character of commas, quotes and lines', async () => {
    const values = { a: 'x,y', b: 'say "hi"', c: 'one\ntwo\r\nthree', d: '"', e: ',', f: ' x ' };
    await service().submit(form, values);

    const [header = [], row = []] = await csv();

    expect(Object.fromEntries(header.map((name, index) => [name, row[index]]))).toMatchObject(values);
    expect((await exported('csv')).toString()).toContain('"say ""hi"""');
  });

  it('puts repeated values on lines of their own, and other JSON as it is written', async () => {
    await service().submitPairs(form, [
      ['tag', 'red'],
      ['tag', 'blue'],
    ]);
    await service().submit(form, { tag: ['a', 1], deep: { x: null } });

    expect((await csv()).map((row) => row.slice(FIXED.length))).toEqual([
      ['tag', 'deep'],
      ['["a",1]', '{"x":null}'],
      ['red\nblue', ''],
    ]);
  });

  it.each([
    '=1+1',
    '+1',
    '-5',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    ' =1',
    '\u00a0=1',
    '\u200b=1',
    '\u0000=1',
    '\ufeff=1',
    '\ttab',
    '\rreturn',
    '＝1',
    '＋1',
    '－1',
    '＠x',
    '=HYPERLINK("http://evil.example")',
  ])('defuses %j in a cell, a header and a file name (O-02)', async (text) => {
    await service().submitPairs(form, [[text, text]]);

    const [header, row] = await csv();

    // Behind a tab it is defused once more: that is where a cell begins for some readers.
    const defused = `'${text.replace(/^\t(?==)/, "\t'")}`;
    expect(header?.at(-1)).toBe(defused);
    expect(row?.at(-1)).toBe(defused);
  });

  it('defuses the names of files too', async () => {
    await service().submitFile(form, 'x', { name: '=1+1.pdf' });
    const [, row] = await csv();
    expect(row?.[FIXED.indexOf('files')]).toBe("'=1+1.pdf");
  });

  it.each([
    ['comma', ','],
    ['semicolon', ';'],
    ['tab', '\t'],
  ])('with the separator %s is safe whatever its reader takes for one', async (name, sign) => {
    await service().submit(form, { a: 'x;=1+1;y', b: 'x\t@y', c: 'x,-5', d: 'a;b' });

    const text = (await exported('csv', `separator=${name}`)).toString();

    expect(text.startsWith(`\uFEFF${FIXED.join(sign)}${sign}a`)).toBe(true);
    expect(text.split('\r\n')[1]).toContain([`"x;'=1+1;y"`, `"x\t'@y"`, `"x,'-5"`, '"a;b"'].join(sign));
    for (const cell of text.split(/[,;\t\r\n]/)) expect(cell).not.toMatch(/^"?[=@+-]/);
  });

  it.each(['csv', 'ndjson', 'xlsx'])('as %s refuses what it would ignore', async (ending) => {
    for (const query of ['page=2', 'per_page=5', 'separator=pipe']) {
      await owner.get(`${pathOf(form)}.${ending}?${query}`).expect(422);
    }
  });

  it('leaves alone what no spreadsheet runs', async () => {
    const values = { a: 'a=1', b: '5-3', c: "'quoted", d: 'jane@example.com', e: '1.5', f: '' };
    await service().submit(form, values);
    const [, row] = await csv();
    expect(row?.slice(FIXED.length)).toEqual(Object.values(values));
  });

  it('gives every row all cells, though the oldest has fields of its own and much lies between', async () => {
    const long = 'é"🦓\n,'.repeat(20_000);
    await service().submit(form, { a: 'oldest', b: 'b', c: 'c' });
    for (let n = 0; n < 8; n++) await service().submit(form, { a: long + String(n) });

    const [header, ...rows] = await csv();

    expect(header).toEqual([...FIXED, 'a', 'b', 'c']);
    const sent = [7, 6, 5, 4, 3, 2, 1, 0].map((n) => [long + String(n), '', '']);
    expect(rows.map((row) => row.slice(FIXED.length))).toEqual([...sent, ['oldest', 'b', 'c']]);
    expect(await storedNames(service(), 'exports')).toEqual([]);
  });

  it('puts what is beyond 2,000 columns into one more', async () => {
    const names = Array.from({ length: 2_003 }, (_, n) => `field ${n}`);
    await service().submitPairs(
      form,
      names.map((name, n) => [name, String(n)]),
    );

    const [header = [], row = []] = await csv();

    expect(header.slice(FIXED.length)).toEqual([...names.slice(0, 2_000), 'other fields']);
    expect(row).toHaveLength(header.length);
    expect(row.at(-2)).toBe('1999');
    expect(row.at(-1)).toBe('field 2000: 2000\nfield 2001: 2001\nfield 2002: 2002');
  });
});

/** Asks for columns, each by its name. */
const columns = (...names: string[]) => new URLSearchParams(names.map((name) => ['columns', name])).toString();

describe('Chosen columns', () => {
  it('are those of a CSV, in their order and once, empty where nothing was sent', async () => {
    await service().submitPairs(form, [
      ['a,b', '1'],
      ['id', 'mine'],
      ['other', 'not asked for'],
      ['a,b', '2'],
    ]);
    const [{ id } = { id: '' }] = (await owner.list(form)).submissions;

    expect(await csv(columns('a,b', 'id', 'nobody sent this', 'values.id', 'a,b'))).toEqual([
      ['a,b', 'id', 'nobody sent this', 'values.id'],
      ['1\n2', id, '', 'mine'],
    ]);
  });

  it('are those of a workbook', async () => {
    await service().submit(form, { n: 5, other: 'x' });
    const bytes = await exported('xlsx', columns('n', 'spam'));

    expect(await readSheet(bytes)).toEqual([
      ['n', 'spam'],
      [5, false],
    ]);
  });

  it('are the members of a line of NDJSON, and of its values', async () => {
    await service().submitPairs(form, [
      ['tag', 'red'],
      ['other', 'x'],
      ['tag', 'blue'],
      ['10', 'y'],
    ]);
    const [{ created_at: at } = { created_at: '' }] = (await owner.list(form)).submissions;

    const lines = await exported('ndjson', columns('10', 'tag', 'created_at', 'nobody'));
    expect(lines.toString()).toBe(`{"created_at":"${at}","values":{"tag":["red","blue"],"10":"y"}}\n`);
    expect((await exported('ndjson', columns('spam'))).toString()).toBe('{"spam":false}\n');
  });

  it.each(['', columns('a')])('are read once, and all of them too: %j', async (query) => {
    await service().submit(form, { a: '1' });
    const read = jest.spyOn(service().app.get(ExportService), 'read');
    await csv(query);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('are at most 500', async () => {
    const names = Array.from({ length: 501 }, (_, n) => String(n));
    await owner.get(`${pathOf(form)}.csv?${columns(...names)}`).expect(refusal(422, 'invalid_fields', 'columns'));
    await exported('csv', columns(...names.slice(1)));
  });
});

it('An NDJSON export has each submission exactly as the API shows it, one a line', async () => {
  await request(service().url)
    .post(`/f/${form.identifier}`)
    .set('Content-Type', 'application/json')
    .send('{"10":"=1","9":12345678901234567890.10,"a":"x\\ny"}')
    .expect(200);
  await service().submitFile(form, 'x');

  const { text } = await owner.get(pathOf(form)).expect(200);
  const lines = (await exported('ndjson')).toString().split('\n');

  expect(lines.pop()).toBe('');
  expect(text.startsWith(`{"submissions":[${lines.join(',')}],`)).toBe(true);
});

describe('An Excel export', () => {
  const SHEET = 'xl/worksheets/sheet1.xml';

  it('has no name twice, also where names differ in what it cannot hold', async () => {
    await service().submit(form, { spam: '1', 'a\u0001': '2', a: '3', 'values.a': '4' });
    const sheet = unzip(await exported('xlsx'))[SHEET] ?? '';
    const [header = ''] = /<row r="1">.*?<\/row>/.exec(sheet) ?? [];
    const names = [...header.matchAll(/<t[^>]*>([^<]*)</g)].map(([, name]) => name);
    expect(names.slice(FIXED.length)).toEqual(['values.spam', 'a', 'values.a', 'values.values.a']);
  });

  it('is a workbook whose cells say where they are, and are no formulas (O-02)', async () => {
    await service().submit(form, { name: '<b> & "c"', sum: '=1+1', tel: '+49 170', n: 5 });

    const files = unzip(await exported('xlsx'));
    const sheet = files[SHEET] ?? '';

    expect(Object.keys(files).sort()).toEqual([
      '[Content_Types].xml',
      '_rels/.rels',
      'xl/_rels/workbook.xml.rels',
      'xl/styles.xml',
      'xl/workbook.xml',
      SHEET,
    ]);
    expect(sheet.match(/<row [^>]*>/g)).toEqual(['<row r="1">', '<row r="2">']);
    const places = [...sheet.matchAll(/<c r="([A-Z]+\d+)"/g)].map(([, place]) => place);
    const letters = Array.from('ABCDEFGHIJ');
    expect(places).toEqual([...letters.map((c) => `${c}1`), ...letters.map((c) => `${c}2`)]);
    expect(sheet.match(/<c[ />]/g)).toHaveLength(places.length);
    expect(sheet).not.toContain('<f');
    for (const text of ['&lt;b&gt; &amp; "c"', '=1+1', '+49 170']) {
      expect(sheet).toContain(`<t xml:space="preserve">${text}</t>`);
    }
    expect(sheet).toContain('<autoFilter ref="A1:J2"/>');
    expect(sheet).toContain('state="frozen"');
  });

  it('has numbers, truths and times as such, and the texts of forms as texts', async () => {
    await request(service().url)
      .post(`/f/${form.identifier}`)
      .set('Content-Type', 'application/json')
      .send('{"a":19.5,"b":true,"c":"01067","d":12345678901234567890,"e":[1],"f":null,"g":-5}')
      .expect(200);
    const [{ created_at: time } = { created_at: '' }] = (await owner.list(form)).submissions;

    const sheet = unzip(await exported('xlsx'))[SHEET] ?? '';

    const day = Date.parse(time) / 86_400_000 + 25_569;
    for (const cell of [
      `<c r="B2" s="2"><v>${day}</v></c>`,
      '<c r="C2" t="b"><v>0</v></c>',
      '<c r="G2"><v>19.5</v></c>',
      '<c r="H2" t="b"><v>1</v></c>',
      '<c r="I2" t="inlineStr"><is><t xml:space="preserve">01067</t>',
      '<c r="J2" t="inlineStr"><is><t xml:space="preserve">12345678901234567890</t>',
      '<c r="K2" t="inlineStr"><is><t xml:space="preserve">[1]</t>',
      '<c r="M2"><v>-5</v></c>',
    ]) {
      expect(sheet).toContain(cell);
    }
  });

  it('is read by others as it was meant', async () => {
    const values = { text: 'Zoë <&> "x"\nnext', sum: '=1+1', n: 19.5, yes: true, code: '01067' };
    await service().submit(form, values);
    await service().submitFile(form, 'x', { name: 'cv é.pdf' });
    const [newest, oldest] = (await owner.list(form)).submissions;

    const bytes = await exported('xlsx');

    expect(unzip(bytes)[SHEET]).not.toMatch(/<f\b/);
    const [header = [], ...records] = await readSheet(bytes);
    const read = records.map((cells) =>
      Object.fromEntries(header.map((name, index) => [String(name), cells[index] ?? null])),
    );
    expect(header).toEqual([...FIXED, 'email', ...Object.keys(values)]);
    expect(read).toMatchObject([
      { id: newest?.id, files: 'cv é.pdf', email: 'jane@example.com', text: null },
      { id: oldest?.id, spam: false, trash: false, email: null, ...values },
    ]);
    for (const [index, stored] of [newest, oldest].entries()) {
      const at = read[index]?.created_at as unknown as Date;
      // A time is a part of a day there, a floating-point number, which the reader does not round.
      expect(Math.abs(at.getTime() - Date.parse(stored?.created_at ?? ''))).toBeLessThanOrEqual(1);
    }
  });

  it.each([
    ['one\r\ntwo\r\n', 'one\ntwo\n'],
    ['one\rtwo', 'one\ntwo'],
    ['one\n\r\n\r\rtwo', 'one\n\n\n\ntwo'],
    ['Part_x0041_B', 'Part_x005F_x0041_B'],
    ['_x000D_', '_x005F_x000D_'],
  ])('ends lines with a line feed, and keeps what looks like an escape: %j', async (sent, cell) => {
    await service().submit(form, { a: sent });

    const sheet = unzip(await exported('xlsx'))[SHEET];

    expect(sheet).toContain(`<t xml:space="preserve">${cell}</t>`);
  });

  it.each(['1.10', '-5', '+49 170', '007', '=1+1', '@x', '1e3', ' 12 ', '12/5', 'TRUE'])(
    'keeps %j of a form as it was typed, as text',
    async (typed) => {
      await service().submit(form, { a: typed });

      const [, row] = await readSheet(await exported('xlsx'), { trim: false });

      expect(row?.at(-1)).toBe(typed);
    },
  );

  it.each(['1.10', '491701234567', '1234567890.123456', '-0', '1e3', '1e+21'])(
    'keeps the number %s as it was written, where a sheet would show another',
    async (json) => {
      await request(service().url)
        .post(`/f/${form.identifier}`)
        .set('Content-Type', 'application/json')
        .send(`{"a":${json}}`)
        .expect(200);

      const [, row] = await readSheet(await exported('xlsx'));

      expect(row?.at(-1)).toBe(json);
    },
  );

  it('leaves out what XML cannot hold, and cuts what a cell cannot', async () => {
    await service().submit(form, { a: 'x\u0000\u0008\uFFFFy', b: 'z'.repeat(40_000) });

    const sheet = unzip(await exported('xlsx'))[SHEET];

    expect(sheet).toContain('<t xml:space="preserve">xy</t>');
    expect(sheet).toContain(`<t xml:space="preserve">${'z'.repeat(32_767)}</t>`);
  });
});
