import type { Schemas } from '../../build/api.js';
import { imported, sendFile } from '../support/imports.js';
import { refusal } from '../support/refusal.js';
import { useService, useOwner, useForm } from '../support/service.js';
import { pathOf, type SubmissionBody } from '../support/submissions.js';

/** No worker runs by itself: the test says when. */
const service = useService({ WORKERS: 'off' });
const owner = useOwner(service);
const form = useForm(owner);

type Preview = Schemas['ImportPreviewDto'];

type File = string | Buffer;
const take = (file: File, options?: Record<string, string>, provider = 'csv') =>
  imported(service(), owner, form, provider, file, options);

async function preview(file: File, options: Record<string, string> = {}, provider = 'csv') {
  const query = { path: '/preview', ...options };
  const { body } = await sendFile(owner, form, provider, file, query).expect(200);
  return (body as { preview: Preview }).preview;
}

/** Returns what the form has, oldest first. */
async function stored(): Promise<[string, unknown][]> {
  const { submissions } = (await owner.read(pathOf(form))) as { submissions: SubmissionBody[] };
  return submissions.map(({ created_at, values }): [string, unknown] => [created_at, values]).reverse();
}

const notesOf = ({ reading }: Preview) => reading.notes.map(({ message }) => message);
const timeOf = ({ reading }: Preview) => reading.columns.find(({ use }) => use === 'time')?.name;
const T = '2023-05-17T10:15:00.000Z';

it.each([
  [
    'Google Forms',
    '"Timestamp","Your name","Email"\n"2023/05/17 3:45:12 PM GMT+2","Ann","ann@example.com"\n"2023/05/18 10:05:01 AM GMT+2","Bob","bob@example.com"\n',
    [
      ['2023-05-17T13:45:12.000Z', { 'Your name': 'Ann', Email: 'ann@example.com' }],
      ['2023-05-18T08:05:01.000Z', { 'Your name': 'Bob', Email: 'bob@example.com' }],
    ],
  ],
  [
    'Typeform',
    '#,What is your name?,Start Date (UTC),Submit Date (UTC),Network ID\nodwdp4nz,Ann,2023-05-17 10:13:00,2023-05-17 10:15:00,653e97acae\n',
    [[T, { 'What is your name?': 'Ann', 'Start Date (UTC)': '2023-05-17 10:13:00' }]],
  ],
  [
    'Tally',
    'Submission ID,Respondent ID,Submitted at,Your name\nPgYbzQ,l0WyWk,2023-05-17 10:15:00,Ann\n',
    [[T, { 'Your name': 'Ann' }]],
  ],
  [
    'Microsoft Forms',
    'ID,Start time,Completion time,Email,Name\n1,5/17/23 10:13:00,5/17/23 10:15:00,anonymous,Ann\n',
    [[T, { ID: '1', 'Start time': '5/17/23 10:13:00', Email: 'anonymous', Name: 'Ann' }]],
  ],
  [
    'Jotform',
    'Submission Date,Full Name,IP\n"May 17, 2023 at 10:15 AM",Ann,192.0.2.1\n',
    [[T, { 'Full Name': 'Ann' }]],
  ],
  ['a German form', 'Zeitstempel;Name;IP-Adresse\n17.05.2023 12:15:00 MESZ;Ann;192.0.2.1\n', [[T, { Name: 'Ann' }]]],
])('A CSV of another product as %s writes it is imported without a choice', async (_, file, rows) => {
  expect(await take(file)).toMatchObject({ imported: rows.length, broken: 0 });
  expect(await stored()).toEqual(rows);
});

describe('The order of day and month', () => {
  const FILE = 'Date,Name\n3/4/2023 10:00:00,Ann\n3/14/2023 9:30:00,Bob\n4/5/2023 17:45:00,Cid\n';
  const EITHER = '3/4/2023 10:00:00';

  it.each([
    ['month', FILE, '2023-03-04T10:00:00.000Z', 'month_first'],
    ['day', FILE.replace('3/14/', '14/3/'), '2023-04-03T10:00:00.000Z', 'day_first'],
    [
      'month, in the last row',
      `${FILE.replace('3/14/', '3/5/')}12/31/2022,Dan\n`,
      '2023-03-04T10:00:00.000Z',
      'month_first',
    ],
  ])('is proven by one row: %s first', async (_, file, first, order) => {
    const look = await preview(file);
    expect(look).toMatchObject({ broken: 0, reading: { dates: order } });
    expect(notesOf(look)).toEqual([expect.stringContaining('proves.')]);
    expect(await take(file)).toMatchObject({ broken: 0 });
    expect((await stored()).map(([at]) => at)).toContain(first);
  });

  it('that the last of many rows proves counts for the first', async () => {
    const rows = Array.from({ length: 900 }, (_, n) => `1/2/2023 ${n % 24}:00,${n}`);
    const file = `Date,n\n${rows.join('\n')}\n1/31/2023,last\n`;
    expect(await take(file)).toMatchObject({ imported: 901, broken: 0 });
    expect((await stored())[0]?.[0]).toMatch(/^2023-01-02T/);
  });

  it('that rows prove both ways imports none of those that can be read in two', async () => {
    const file = `${FILE}15/3/2023 9:30:00,Dan\n4/4/2023,Eve\n`;
    const entry = await take(file);
    expect(entry).toMatchObject({ imported: 3, broken: 2 });
    expect(entry.broken_rows[0]).toEqual({
      line: 2,
      reason: `Its time, "${EITHER}", can be read in two ways, and other rows prove both orders of day and month.`,
    });
    const names = (await stored()).map(([, values]) => (values as { Name: string }).Name);
    expect(names).toEqual(['Bob', 'Dan', 'Eve']);
    expect((await preview(file)).reading.notes).toMatchObject([{ about: 'dates', question: true }]);
  });

  it('that nothing proves is asked for, and never guessed', async () => {
    const file = `Date,Name\n${EITHER},Ann\n`;
    const look = await preview(file, { undated: 'now' });
    expect(look).toMatchObject({ imported: 0, broken: 1, reading: { dates: null } });
    expect(notesOf(look)).toEqual([`“${EITHER}” can be read in two ways. Does the day or the month come first?`]);
    expect(await take(file)).toMatchObject({ imported: 0, broken: 1 });
    expect(await take(file, { dates: 'day_first' })).toMatchObject({ imported: 1 });
    expect((await stored())[0]?.[0]).toBe('2023-04-03T10:00:00.000Z');
    await sendFile(owner, form, 'csv', file, { dates: 'us' }).expect(refusal(422, 'invalid_fields', 'dates'));
  });

  it('of JSON is proven too', async () => {
    const all = [EITHER, '3/14/2023'].map((Date) => ({ Date, m: 'x' }));
    expect(await take(JSON.stringify(all), {}, 'getform')).toMatchObject({ imported: 2 });
  });
});

describe('The first lines of a CSV', () => {
  it.each([
    ['sep=;\nDate;Name;Email\n', ';'],
    ['"sep=,"\r\nDate,Name,Email\r\n', ','],
    ['SEP=^\rDate^Name^Email\r', '^'],
    ['\uFEFFsep=\t\nDate\tName\tEmail\n', '\t'],
  ])('name its separator: %j', async (begin, sign) => {
    const row = ['2023-05-17 10:15:00', 'Ann', 'ann@example.com'].join(sign);
    const look = await preview(`${begin}${row}\n${row.replace('Ann', '"A\nB"')}\nbroken\n`);
    expect(look).toMatchObject({ imported: 2, reading: { separator: sign, header_line: 2 } });
    expect(look.broken_rows).toMatchObject([{ line: 6 }]);
    expect(await take(`${begin}${row}\n`)).toMatchObject({ imported: 1 });
    expect(await stored()).toEqual([[T, { Name: 'Ann', Email: 'ann@example.com' }]]);
  });

  it.each([
    ['a title', 'Contact form\nDate,Name\n', 2],
    ['titles and a blank line', 'Contact form\n\n"Export, May 2023"\nDate,Name\n', 4],
    ['a title as sheets have it', 'Contact form;;\n;;\nDate;Name;\n', 3],
  ])('may be %s above the names, which is shown', async (_, begin, line) => {
    const sign = begin.includes(';') ? ';' : ',';
    const file = `${begin}2023-05-17 10:15:00${sign}Ann\n`;
    const look = await preview(file);
    expect(look.reading.header_line).toBe(line);
    expect(notesOf(look)).toEqual([expect.stringContaining('“Contact form”')]);
    expect(await take(file)).toMatchObject({ imported: 1, broken: 0 });
    expect(await stored()).toEqual([[T, { Name: 'Ann' }]]);
  });

  it.each([
    ['Date\n2023-05-17\n2023-05-18\n', 0],
    ['email\nann@example.com,2023-05-17\n', 1],
    ['Date,\n2023-05-17,x\n', 0],
  ])('are the names where no other can be them: %j', async (file, broken) => {
    const look = await preview(file, { undated: 'now' });
    expect(look.reading.header_line).toBe(1);
    expect(look.broken_rows.filter(({ reason }) => reason.includes('cells'))).toHaveLength(broken);
  });
});

describe('The column of the time', () => {
  it.each([
    ['Submitted', 'Date,Submitted,m\n2023-05-01,2023-05-17 10:15:00,x\n'],
    ['End Date', 'Start Date,End Date,m\n2023-05-17 10:13,2023-05-17 10:15:00,x\n'],
    ['Start Date', 'Start Date,m\n2023-05-17 10:15:00,x\n'],
    ['Created (UTC)', 'Created (UTC),m\n2023-05-17 10:15:00,x\n'],
    ['When?', 'When?,m\n2023-05-17 10:15:00,x\n'],
    ['Form submitted by the visitor', 'Opened,Form submitted by the visitor\n2023-05-17,2023-05-17 10:15:00\n'],
    // A name is no proof where the values are none.
    ['Moment', 'Sent,Moment\nyes,2023-05-17 10:15:00\n'],
    ['Registered', 'Birthday,Registered\n1990-01-31,2023-05-17 10:15:00\n'],
  ])('is found: %s', async (name, file) => {
    const look = await preview(file);
    expect(timeOf(look)).toBe(name);
    expect(look.submissions[0]?.created_at).toBe(T);
  });

  it('that only its values tell is shown as a guess', async () => {
    const look = await preview('When?,m\n2023-05-17 10:15:00,x\n');
    expect(notesOf(look)).toEqual(['“When?” was read as the time, since all of its values are times.']);
  });

  it.each([
    'Name,m\nAnn,x\n',
    'One,Two\n2023-05-17,2023-05-18\n',
    'Birthday,m\n1990-01-31,x\n',
    'Phone,m\n1541230109,x\n',
  ])('is asked for where none is surely it: %j', async (file) => {
    const look = await preview(file);
    expect(look).toMatchObject({ imported: 0, reading: { notes: [{ about: 'time', question: true }] } });
    expect(notesOf(look)).toEqual(['No column was read as the time. Which one is it?']);
  });

  it('that is chosen counts, and others are fields', async () => {
    const file = 'Timestamp,Visit\n2023-05-01,2023-05-17 10:15:00\n';
    expect(await take(file, { time: 'Visit' })).toMatchObject({ imported: 1 });
    expect(await stored()).toEqual([[T, { Timestamp: '2023-05-01' }]]);
    const look = await preview(file, { time: 'Sent' });
    expect(notesOf(look)).toEqual(['The file has no column “Sent”. Which one has the time?']);
    const left = await preview(file, { columns: '{"Timestamp":"Timestamp","Visit":null}' });
    expect(timeOf(left)).toBeUndefined();
  });
});

describe('A preview', () => {
  it('shows three values of each column, and what becomes of it', async () => {
    const rows = ['a', 'a', 'b', '', 'c', 'd'].map((m) => `2023-05-17,${m},192.0.2.1`);
    expect((await preview(`Date,m,IP\n${rows.join('\n')}\n`)).reading).toEqual({
      ...{ encoding: 'utf-8', separator: ',', header_line: 1, dates: null, notes: [] },
      columns: [
        { name: 'Date', use: 'time', field: null, samples: ['2023-05-17'] },
        { name: 'm', use: 'field', field: 'm', samples: ['a', 'b', 'c'] },
        { name: 'IP', use: 'none', field: null, samples: ['192.0.2.1'] },
      ],
    });
  });

  it('cuts long values, and says which columns are no fields', async () => {
    const file = `_id,_date,m\n7,2023-05-17,${'x'.repeat(500)}\n`;
    const { reading } = await preview(file, {}, 'formspree');
    expect(reading.columns.map(({ use }) => use)).toEqual(['known', 'time', 'field']);
    expect(reading.columns[2]?.samples).toEqual([`${'x'.repeat(80)}…`]);
  });
});

describe('A file in an encoding that its bytes do not tell', () => {
  const CYRILLIC = Buffer.from(
    '446174653bc8ecff3bd1eeeee1f9e5ede8e50d0a323032332d30352d31373bc0edede03bcff0e8e2e5f20d0a',
    'hex',
  );

  it.each([
    ['windows-1251', CYRILLIC, { Имя: 'Анна', Сообщение: 'Привет' }],
    ['CP1251', CYRILLIC, { Имя: 'Анна', Сообщение: 'Привет' }],
    ['sjis', Buffer.from('446174652c96bc914f0a323032332d30352d31372c89d48e710a', 'hex'), { 名前: '花子' }],
    ['latin2', Buffer.from('446174652c6de96e6f0a323032332d30352d31372ca36f640a', 'hex'), { méno: 'Łod' }],
    ['latin1', Buffer.from('446174652c70726569730a323032332d30352d31372c3580', 'hex'), { preis: '5€' }],
  ])('is read as %s where that is chosen', async (encoding, file, values) => {
    expect(await take(file, { encoding })).toMatchObject({ imported: 1 });
    expect(await stored()).toEqual([['2023-05-17T00:00:00.000Z', values]]);
    expect((await preview(file, { encoding })).reading.notes).toEqual([]);
  });

  it('is guessed otherwise, and the preview asks', async () => {
    const look = await preview(CYRILLIC);
    expect(look.reading).toMatchObject({ encoding: 'windows-1252', notes: [{ about: 'encoding', question: true }] });
    expect(look.submissions[0]?.values).toEqual({ Èìÿ: 'Àííà', Ñîîáùåíèå: 'Ïðèâåò' });
    expect(await take(CYRILLIC)).toMatchObject({ encoding: 'windows-1252' });
  });

  it('is read without a word where the bytes tell it', async () => {
    const text = 'Date,m\n2023-05-17,Grüße\n';
    for (const [file, encoding] of [
      [text, 'utf-8'],
      [Buffer.from(text, 'utf16le'), 'utf-16le'],
      [Buffer.from(text, 'utf16le').swap16(), 'utf-16be'],
      [Buffer.from(`\uFEFF${text}`, 'utf16le'), 'utf-16le'],
    ] as const) {
      const look = await preview(file);
      expect(look.reading).toMatchObject({ encoding, notes: [] });
      expect(look.submissions[0]?.values).toEqual({ m: 'Grüße' });
    }
  });

  it.each(['klingon', 'utf-7', ''])('is refused as %j, which the field names', async (encoding) => {
    const { body } = await sendFile(owner, form, 'csv', CYRILLIC, { encoding }).expect(
      refusal(422, 'invalid_fields', 'encoding'),
    );
    expect(JSON.stringify(body)).toContain('must be an encoding such as utf-8');
  });
});

describe('A file that is no export', () => {
  const zipOf = (...names: string[]) =>
    Buffer.concat(
      names.map((name) => {
        const header = Buffer.alloc(30);
        header.write('PK\x03\x04', 'latin1');
        return Buffer.concat([header, Buffer.from(name), Buffer.alloc(500)]);
      }),
    );

  it.each([
    ['.xlsx', zipOf('[Content_Types].xml', '_rels/.rels', 'xl/workbook.xml'), 'an Excel workbook'],
    ['.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'an Excel workbook'],
    ['.ods', zipOf('mimetypeapplication/vnd.oasis.opendocument.spreadsheet'), 'a LibreOffice sheet'],
    ['.xml', '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>', 'an Excel workbook'],
  ])('is refused with the way out: %s', async (_, file, kind) => {
    const { body } = await sendFile(owner, form, 'csv', file).expect(refusal(415, 'import_workbook'));
    expect(JSON.stringify(body)).toContain(`This is ${kind}. Save the sheet as CSV (UTF-8) and import that.`);
  });

  it.each([zipOf('export.csv'), zipOf('text xl/', 'a.json'), Buffer.from('1f8b0800', 'hex')])(
    'is a packed file where no sheet is in it (%#)',
    async (file) => {
      await sendFile(owner, form, 'csv', file).expect(refusal(415, 'import_packed'));
    },
  );

  it.each([
    '<!DOCTYPE html><html><body>Sign in</body></html>',
    '\n  <html lang="de">',
    '<table><tr><td>Date</td></tr></table>',
  ])('is a web page: %s', async (file) => {
    for (const provider of ['csv', 'netlify', 'ndjson']) {
      await sendFile(owner, form, provider, file).expect(refusal(415, 'import_web_page'));
    }
  });
});

describe('The fields that columns become', () => {
  it('have shortened names where questions are long, each another', async () => {
    const long = 'How would you describe your experience with our service so far? '.repeat(8);
    const others = ['é'.repeat(400), `${long} Why?`];
    const file = `Date,"${long}","${others.join('","')}",Email\n2023-05-17,Good,Yes,No,a@example.com\n`;
    expect(await take(file)).toMatchObject({ imported: 1, broken: 0 });
    const [[, values] = []] = await stored();
    const names = Object.keys(values as object);
    expect(Object.values(values as object)).toEqual(['Good', 'Yes', 'No', 'a@example.com']);
    expect(new Set(names).size).toBe(4);
    for (const name of names) {
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(256);
      expect(name).not.toContain('\uFFFD');
    }
    // Another order of the columns gives the same names.
    const other = await preview(`Date,"${others[1] ?? ''}","${long}"\n2023-05-17,No,Good\n`);
    const again = other.reading.columns.map(({ field }) => field);
    expect(again).toEqual([null, names[2], names[0]]);
  });

  it('are those of the form that are called much alike, and none gets two', async () => {
    await service().submit(form, { name: 'x', email: 'x@example.com', message: 'x', Tel: '1' });
    const file =
      'Date,Full name,E-mail,Email address,Your message,Phone number,City\n2023-05-17,Ann,a@example.com,b@example.com,Hi,5,Bonn\n';
    const fields = ['name', 'email', 'Email address', 'message', 'Tel', 'City'];
    const look = await preview(file);
    expect(look.reading.columns.slice(1).map(({ field }) => field)).toEqual(fields);
    const exact = await preview('Date,E-mail,email\n2023-05-17,a,b\n');
    expect(exact.reading.columns.map(({ field }) => field)).toEqual([null, 'E-mail', 'email']);
    const chosen = await preview(file, { columns: '{"E-mail":"E-mail","City":"name"}' });
    expect(chosen.reading.columns.slice(1).map(({ field }) => field)).toEqual([
      ...['Full name', 'E-mail', 'email', 'message', 'Tel', 'name'],
    ]);

    expect(await take(file)).toMatchObject({ imported: 1 });
    const [, values] = (await stored())[0] ?? [];
    expect(Object.keys(values as object)).toEqual(fields);
  });

  it('keep their names where the form has no such field', async () => {
    const look = await preview('Date,E-mail,Full name\n2023-05-17,a,b\n');
    expect(look.reading.columns.map(({ field }) => field)).toEqual([null, 'E-mail', 'Full name']);
  });

  it.each(['IP', 'ip_address', 'Remote IP', 'IP-Adresse', 'Network ID', 'Respondent ID', '#'])(
    'are none for %s, unless that is chosen',
    async (name) => {
      const file = `Date,${name},m\n2023-05-17,192.0.2.1,x\n`;
      expect((await preview(file)).submissions[0]?.values).toEqual({ m: 'x' });
      const columns = JSON.stringify({ [name]: name });
      const kept = await preview(file, { columns });
      expect(kept.submissions[0]?.values).toEqual({ [name]: '192.0.2.1', m: 'x' });
    },
  );
});
