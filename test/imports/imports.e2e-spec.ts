import { readdir } from 'node:fs/promises';
import { request, type ClientRequest } from 'node:http';
import { join } from 'node:path';
import { BlockBuilder } from '../../src/search/texts/block-builder.js';
import { ImportedSubmissions } from '../../src/submissions/storage/imported-submissions.service.js';
import { imported, importsOf, sendFile, shownImport } from '../support/imports.js';
import { refusal } from '../support/refusal.js';
import { useService, useOwner, type FormBody } from '../support/service.js';
import { pathOf, type SubmissionBody } from '../support/submissions.js';

/** No worker runs by itself: the test says when. */
const service = useService({ WORKERS: 'off', IMPORT_MAX_BYTES: '1048576' });
let form: FormBody;
const owner = useOwner(service);
beforeEach(async () => {
  form = await owner.makeForm();
});

const take = (provider: string, file: string | Buffer, options?: Record<string, string>) =>
  imported(service(), owner, form, provider, file, options);

/** Returns what the form has, newest first, spam too. */
const stored = async (of = form, query = 'spam=all'): Promise<SubmissionBody[]> =>
  (await owner.read(`${pathOf(of)}?${query}`)).submissions;

const endOverImport = () => service().endOver('import');

const told = (all: SubmissionBody[]) => all.map(({ created_at, values, spam }) => [created_at, values, spam]);

async function countOf(table: string): Promise<number> {
  const rows = await service().query<{ n: number | string }[]>(`SELECT COUNT(*) AS n FROM ${table}`);
  return Number(rows[0]?.n);
}

const ADA = { email: 'ada@example.com', message: 'Hello' };
const BOB = { email: 'bob@example.org', message: 'Buy, now' };
const T1 = '2019-11-03T07:28:29.707Z';
const T2 = '2020-02-29T23:59:59.000Z';

/** Files with Ada's submission, which is none of spam, and Bob's, which is spam where the provider says so. */
const FILES: [provider: string, kind: string, file: string, saysSpam: boolean][] = [
  [
    'formspree',
    'JSON',
    JSON.stringify({
      fields: ['_date', 'email', 'message', '_status'],
      submissions: [
        { _date: '2019-11-03T07:28:29.707632', ...ADA, _status: { seen: true } },
        { _date: '2020-02-29T23:59:59', ...BOB, _status: { spam: true }, _errors: [] },
      ],
    }),
    true,
  ],
  [
    'formspree',
    'CSV',
    'id,_date,email,message\r\n1,2019-11-03T07:28:29.707,ada@example.com,Hello\r\n2,2020-02-29 23:59:59 UTC,bob@example.org,"Buy, now"\r\n',
    false,
  ],
  [
    'netlify',
    'JSON',
    JSON.stringify([
      {
        ...{ id: 'a1', number: 1, title: null, email: ADA.email, created_at: T1 },
        data: { ...ADA, ip: '192.0.2.1', user_agent: 'Browser', referrer: 'https://example.com/a' },
        ordered_human_fields: [{ title: 'Email', name: 'email', value: ADA.email }],
        site_url: 'https://example.com',
      },
      { id: 'a2', state: 'spam', created_at: T2, data: { ...BOB, ip: '192.0.2.2' } },
    ]),
    true,
  ],
  [
    'netlify',
    'CSV',
    `email,message,ip,user_agent,referrer,created_at\nada@example.com,Hello,192.0.2.1,Browser,https://example.com/a,${T1}\nbob@example.org,"Buy, now",192.0.2.2,,,${T2}\n`,
    false,
  ],
  [
    'basin',
    'JSON',
    JSON.stringify({
      submissions: [
        { id: 7, created_at: T1, spam: false, payload_params: ADA },
        { id: 8, created_at: T2, spam: true, payload_params: BOB },
      ],
    }),
    true,
  ],
  [
    'basin',
    'CSV',
    `id,created_at,spam,email,message\n7,${T1},false,ada@example.com,Hello\n8,${T2},true,bob@example.org,"Buy, now"\n`,
    true,
  ],
  [
    'formcarry',
    'JSON',
    JSON.stringify({
      results: [
        { _id: 'x1', fields: ADA, createdAt: T1, spam: false },
        { _id: 'x2', fields: BOB, createdAt: T2, spam: true },
      ],
    }),
    true,
  ],
  [
    'formspark',
    'JSON',
    JSON.stringify({
      data: [
        { _id: 's1', createdAt: T1, ...ADA },
        { _id: 's2', createdAt: T2, ...BOB },
      ],
      hasMore: false,
      nextCursor: null,
    }),
    false,
  ],
  [
    'getform',
    'CSV',
    `\uFEFFid;email;message;created_at\n1;ada@example.com;Hello;${T1}\n2;bob@example.org;Buy, now;${T2}\n`,
    false,
  ],
  [
    'web3forms',
    'CSV',
    `email,message,submittedAt\nada@example.com,Hello,${T1}\nbob@example.org,"Buy, now",${T2}\n`,
    false,
  ],
  ['csv', 'CSV', `Date\temail\tmessage\n${T1}\tada@example.com\tHello\n1583020799\tbob@example.org\tBuy, now\n`, false],
];

describe.each(FILES)('An export of %s as %s', (provider, _, file, saysSpam) => {
  it('is imported with its times, values and spam, and once', async () => {
    expect(await take(provider, file)).toMatchObject({
      ...{ state: 'finished', total: 2, done: 2, progress: 1 },
      ...{ imported: 2, skipped: 0, broken: 0, broken_rows: [], error: null },
    });
    expect(told(await stored())).toEqual([
      [T2, BOB, saysSpam],
      [T1, ADA, false],
    ]);

    expect(await take(provider, file)).toMatchObject({ imported: 0, skipped: 2, broken: 0 });
    expect(await stored()).toHaveLength(2);
    const { body } = await owner.get(`/api/v1/forms/${form.identifier}`).expect(200);
    expect(body.submission_count).toBe(saysSpam ? 1 : 2);
  });
});

describe('An import', () => {
  it('skips rows that another import has stored while it looked which are new', async () => {
    const [provider, , file] = FILES[0] ?? ['', '', ''];
    await take(provider, file);
    const submissions = service().app.get(ImportedSubmissions);
    jest.spyOn(submissions, 'newAmong').mockImplementationOnce((_, all) => Promise.resolve([...all]));

    const entry = await take(provider, file);

    expect(entry).toMatchObject({ state: 'finished', imported: 0, skipped: 2 });
    expect(await stored()).toHaveLength(2);
  });

  it('takes back what this service exported as it was: values, times, spam, order', async () => {
    await service().submit(form, { '2': 'b', '1': 'a', tags: ['x', 'y'], n: 10, deep: { a: null } });
    for (let n = 0; n < 5; n++) await service().submit(form, { n: String(n), text: 'ä "=1"\n' });
    await service().submitSpam(form, { message: 'Buy' });
    const text = await owner.download(`${pathOf(form)}.ndjson?spam=all`);
    const before = await stored();
    const other = await owner.makeForm();

    const entry = await imported(service(), owner, other, 'ndjson', text);

    expect(entry).toMatchObject({ imported: 7, broken: 0 });
    const after = await owner.download(`${pathOf(other)}.ndjson?spam=all`);
    expect(told(await stored(other))).toEqual(told(before));
    const valuesOf = (lines: string) => lines.match(/"values":\{.*?\},"url"/g);
    expect(valuesOf(after)).toEqual(valuesOf(text));
    // The form itself has them already.
    expect(await take('ndjson', text)).toMatchObject({ imported: 0, skipped: 7 });
  });

  it.each(['comma', 'semicolon', 'tab'])(
    'takes back what this service exported as CSV with the separator %s as it was',
    async (separator) => {
      const odd = { id: 'mine', spam: 'no', ID: 'x', 'values.id': 'y', '=1': "'=1", ' a ': '-5' };
      await service().submit(form, { ...odd, Origin: 'z', '': 'unnamed', 'other fields': '1' });
      await service().submit(form, { text: 'ä "x",=2\n;\'+3', trash: "''@", created_at: T1 });
      await service().submitSpam(form, { message: 'Buy' });
      const text = await owner.download(`${pathOf(form)}.csv?spam=all&separator=${separator}`);
      const other = await owner.makeForm();

      expect(await imported(service(), owner, other, 'csv', text)).toMatchObject({ imported: 3 });

      expect(told(await stored(other))).toEqual(told(await stored()));
      expect(await take('csv', text)).toMatchObject({ imported: 0, skipped: 3 });
      const lines = await owner.download(`${pathOf(form)}.ndjson?spam=all`);
      const again = await imported(service(), owner, other, 'ndjson', lines);
      expect(again).toMatchObject({ imported: 0, skipped: 3 });
    },
  );

  it('causes no email and no webhook call, and spam stays so when it is judged again', async () => {
    form = await owner.makeForm({
      ...{ notify_owner_on_submission: true, notify_owner_emails: 'owner@example.com' },
      ...{ notify_submitter: true, webhook_url: 'https://example.com/hook' },
    });
    const before = await countOf('deliveries');
    const file = JSON.stringify([{ id: 1, state: 'spam', created_at: T1, data: ADA }]);
    await take('netlify', file);

    expect(await countOf('deliveries')).toBe(before);
    const [spam] = await stored();
    expect(spam).toMatchObject({ spam: true, spam_reason: 'It was imported as spam.' });
    await owner.post(`${pathOf(form)}/rejudge`, { q: 'is:spam' }).expect(202);
    await service().upkeep();
    expect(await stored()).toMatchObject([{ spam: true }]);
    expect(await countOf('deliveries')).toBe(before);
  });

  it('is found and counted at its original time', async () => {
    await take('csv', `Date,message\n${T1},needle in hay\n${T2},straw\n`);
    await service().upkeep();

    expect(told(await stored(form, 'query=needle'))).toEqual([[T1, { message: 'needle in hay' }, false]]);
    expect(told(await stored(form, `from=2020-01-01&to=2021-01-01`))).toEqual([[T2, { message: 'straw' }, false]]);
    const { body } = await owner
      .get(`/api/v1/forms/${form.identifier}/statistics?from=2019-11-01&to=2019-12-01&by=month`)
      .expect(200);
    expect(JSON.stringify(body)).toContain('"submissions":1');
  });

  it('is left out of the charts of a form where somebody wants that', async () => {
    await take('csv', `Date,message\n${T1},one\n${T1},two\n`);
    await service().upkeep();
    const person = await service().makeBrowser(owner);
    const path = `/forms/${form.identifier}/activity?from=2019-11-01&to=2019-11-30&by=month`;

    const { text } = await person.get(path);
    expect(text).toContain('Includes 2 imported submissions.');
    const without = await person.get(`${path}&imports=off`);
    expect(without.text).toContain('Without 2 imported submissions.');
    expect(without.text).toMatch(/<dt>Submissions<\/dt><dd>0</);
  });

  it('is undone as a whole, and nothing else is', async () => {
    const mine = await service().submit(form, { message: 'mine' });
    const { id } = await take('csv', `Date,message\n${T1},one\n${T2},two\n`);
    await take('csv', `Date,message\n${T1},one\n${T2},other\n`);
    const path = `${importsOf(form)}/${id}`;

    const { body } = await owner.delete(path).expect(202);
    expect(body).toMatchObject({ import: { state: 'undoing' } });
    await service().work('import');

    expect(await shownImport(owner, form, id)).toMatchObject({ state: 'undone', imported: 2 });
    expect((await stored()).map(({ values }) => values.message)).toEqual(['mine', 'other']);
    expect((await stored())[0]?.id).toBe(mine);
    const shown = await owner.get(`/api/v1/forms/${form.identifier}`).expect(200);
    expect(shown.body.submission_count).toBe(2);
    const actions = (await owner.read('/api/v1/audit')).entries.map((e) => e.action);
    expect(actions.filter((action) => action.startsWith('import.'))).toEqual([
      'import.undone',
      'import.started',
      'import.started',
    ]);
  });

  it('that is undone and done again is counted once, whether it was counted by then or not', async () => {
    const rows = ['Tea', 'Tea', 'Tea', 'Coffee'].map((topic, n) => `${T1},a${n}@example.com,${topic}`);
    const file = `Date,email,topic\n${rows.join('\n')}\n`;
    const upkeep = () => service().upkeep();
    for (const isCounted of [true, false]) {
      const { id } = await take('csv', file);
      if (isCounted) await upkeep();
      await owner.delete(`${importsOf(form)}/${id}`).expect(202);
      await service().work('import');
      if (isCounted) await upkeep();
    }
    await take('csv', file);
    await upkeep();

    const of = `/api/v1/forms/${form.identifier}/statistics` as const;
    const span = 'from=2019-11-01&to=2019-12-01';
    const { body } = await owner.get(`${of}?${span}&by=month`).expect(200);
    expect(body).toMatchObject({ totals: { submissions: 4, imported: 4 } });
    expect(await owner.read(`${of}/values?${span}`)).toMatchObject({
      fields: [{ field: 'topic', values: [{ value: 'Tea', submissions: 3 }], other: 1 }],
    });
  });

  it('that was undone before a worker had it stores nothing, and lets go of its file', async () => {
    const { body } = await sendFile(owner, form, 'csv', `Date,m\n${T1},one\n`).expect(202);
    const { id } = body.import;
    await owner.delete(`${importsOf(form)}/${id}`).expect(202);
    await service().work('import');

    expect(await shownImport(owner, form, id)).toMatchObject({ state: 'undone', imported: 0 });
    expect(await stored()).toEqual([]);
    expect(await filesLeft()).toEqual([]);
  });

  it('of rows like each other keeps each, and a second one adds none', async () => {
    const file = `Date,m\n${`${T1},same\n`.repeat(450)}`;
    expect(await take('csv', file)).toMatchObject({ imported: 450, skipped: 0 });
    expect(await take('csv', file)).toMatchObject({ imported: 0, skipped: 450 });
  });

  it('names the lines that are broken, and takes the rest', async () => {
    const rows = [
      'Date,m,n',
      `${T1},"two\nlines",`,
      ',undated,',
      '9999-12-31T00:00:00Z,future,',
      'yesterday,unreadable,',
      '03/04/2020,either,',
      `${T2},too many,,x`,
      `${T2},,`,
      '1969-01-01,early,',
      `${T2},=1+1,'-5`,
    ];
    const entry = await take('csv', rows.join('\n'));

    expect(entry).toMatchObject({ imported: 2, broken: 7, done: 9 });
    expect(entry.broken_rows).toEqual([
      { line: 4, reason: 'It has no time.' },
      { line: 5, reason: 'Its time is in the future.' },
      { line: 6, reason: 'We cannot read its time, "yesterday".' },
      {
        line: 7,
        reason:
          'Its time, "03/04/2020", can be read in two ways, and no row proves whether the day or the month comes first.',
      },
      { line: 8, reason: 'The row has 4 cells, and the file 3 columns.' },
      { line: 9, reason: 'It has no fields.' },
      { line: 10, reason: 'Its time is before 1970.' },
    ]);
    expect(told(await stored())).toEqual([
      [T2, { m: '=1+1', n: "'-5" }, false],
      [T1, { m: 'two\nlines' }, false],
    ]);
  });

  it('renames and leaves out columns, takes apostrophes away, and dates the undated, as asked', async () => {
    const file = `When,Your name,IP,calc\n${T1},Ada,192.0.2.1,"'=1,'=2"\n,Bob,192.0.2.2,'quoted'\n`;
    const options = {
      ...{ time: 'When', undated: 'now', unprefix: 'true' },
      columns: '{"Your name":"name","IP":null}',
    };
    const begin = Date.now();

    expect(await take('csv', file, options)).toMatchObject({ imported: 2 });
    expect(await take('csv', file, options)).toMatchObject({ imported: 0, skipped: 2 });

    const [undated, dated] = await stored();
    expect(dated).toMatchObject({ created_at: T1, values: { name: 'Ada', calc: '=1,=2' } });
    expect(undated?.values).toEqual({ name: 'Bob', calc: "'quoted'" });
    expect(Date.parse(undated?.created_at ?? '')).toBeGreaterThanOrEqual(begin);
  });

  it('is looked at first without storing anything', async () => {
    await take('csv', `Date,m\n${T1},one\n`);
    await owner.put(`/api/v1/forms/${form.identifier}/retention`, { days: 30 }).expect(200);
    const recent = new Date(Date.now() - 86_400_000).toISOString();
    const file = `Date,2,1\n${T1},one,\n${T2},b,a\n${recent},new,\nnever,x,\n`;
    const { body } = await sendFile(owner, form, 'csv', file, { path: '/preview' }).expect(200);

    expect(body).toEqual({
      preview: {
        ...{ total: 4, whole: true, imported: 3, skipped: 0, broken: 1, spam: 0, expired: 2 },
        columns: ['Date', '2', '1'],
        reading: expect.objectContaining({ encoding: 'utf-8', separator: ',', notes: [] }),
        submissions: [
          { created_at: T1, spam: false, values: { 2: 'one' } },
          { created_at: T2, spam: false, values: { 2: 'b', 1: 'a' } },
          { created_at: recent, spam: false, values: { 2: 'new' } },
        ],
        broken_rows: [{ line: 5, reason: 'We cannot read its time, "never".' }],
        error: null,
      },
    });
    expect(await filesLeft()).toEqual([]);
  });
});

/** Returns the files of imports on the disk. */
async function filesLeft(): Promise<string[]> {
  const folder = join(service().config.dataDir, 'imports', 'kept');
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return names.filter((name) => /[0-9a-f]{32}$/.test(name));
}

describe('A file', () => {
  it('in another encoding is read', async () => {
    const text = `Date,m\n${T1},Grüße – ja\n`;
    const utf16 = Buffer.from(`\uFEFF${text}`, 'utf16le');
    const cp1252 = Buffer.from(text.replace('–', '\x96').replace('2019', '2018'), 'latin1');
    await take('csv', utf16);
    await take('csv', Buffer.from(Buffer.from(`\uFEFF${text.replace('2019', '2017')}`, 'utf16le')).swap16());
    await take('csv', cp1252);

    const read = (await stored()).map(({ values }) => values.m);
    expect(read).toEqual(['Grüße – ja', 'Grüße – ja', 'Grüße – ja']);
  });

  it('that is none of the provider is refused, and leaves nothing behind', async () => {
    const wide = Array.from({ length: 10_000 }, (_, at) => `c${at}`).join(',');
    const fields = Array.from({ length: 600 }, (_, at) => `c${at}`).join(',');
    const refused = [
      ['csv', '', 400, 'import_unreadable'],
      ['csv', Buffer.from('504b030414000000', 'hex'), 415, 'import_packed'],
      ['csv', `${wide}\n`, 400, 'import_unreadable'],
      ['csv', `${fields}\n${fields}\n`, 400, 'import_unreadable'],
      ['netlify', '{"message":"Unauthorized"}', 400, 'import_unreadable'],
      ['netlify', '[{"id":1,', 400, 'import_truncated'],
      ['csv', `Date,m\n${'x'.repeat(1_100_000)}`, 413, 'import_too_large'],
    ] as const;
    for (const [provider, file, status, code] of refused) {
      await sendFile(owner, form, provider, file).expect(refusal(status, code));
    }
    await sendFile(owner, form, 'geocities', 'x').expect(refusal(422, 'invalid_fields'));
    await sendFile(owner, form, 'csv', 'x', { columns: '[1]' }).expect(refusal(422, 'invalid_fields'));

    expect(await filesLeft()).toEqual([]);
    expect(await owner.read(importsOf(form))).toEqual({ imports: [] });
  });

  it('that ends early is taken up to there, and says so', async () => {
    const whole = JSON.stringify([{ id: 1, created_at: T1, data: ADA }]);
    const json = await take('netlify', `${whole.slice(0, -1)},\n{"id":2,"created_at":`);
    expect(json).toMatchObject({ state: 'failed', imported: 1 });
    expect(json.error).toEqual({ code: 'import_truncated', message: expect.stringContaining('line 2') });

    expect(await take('csv', `Date,m\n${T2},one\n${T2},"never closed\n`)).toMatchObject({
      state: 'failed',
      imported: 1,
      error: { code: 'import_truncated' },
    });
    expect(await stored()).toHaveLength(2);
    expect(await filesLeft()).toEqual([]);
  });

  it('is given up once two processes have ended over the same rows, behind the last line that was read', async () => {
    const { body } = await sendFile(owner, form, 'csv', `Date,m\n${T1},one\n${T2},two\n`).expect(202);
    const { id } = body.import;
    await endOverImport();
    await endOverImport();
    await service().work('import');

    expect(await shownImport(owner, form, id)).toMatchObject({
      state: 'failed',
      error: { code: 'import_given_up', message: expect.stringContaining('line 0') },
    });
    expect(await filesLeft()).toEqual([]);
  });

  it('goes on after a process has ended over it, and says in the end all that it stored', async () => {
    const rows = Array.from({ length: 300 }, (_, n) => `${T1},${n}`);
    const { body } = await sendFile(owner, form, 'csv', `Date,m\n${rows.join('\n')}\n`).expect(202);
    const { id } = body.import;
    await endOverImport();
    await service().work('import');

    expect(await shownImport(owner, form, id)).toMatchObject({ state: 'finished', imported: 300 });
  });

  it('with a row that is larger than a submission loses that row alone', async () => {
    const entry = await take('csv', `Date,m\n${T1},${'x'.repeat(300_000)}\n${T2},short\n`);
    expect(entry).toMatchObject({ imported: 1, broken: 1 });
    expect(entry.broken_rows).toEqual([{ line: 2, reason: 'The field "m" is longer than 256 KiB.' }]);
  });
});

it('Files that are sent at once are counted before they are read, also those that are only looked at', async () => {
  const AT_ONCE = 10;

  const FILE = `Date,m\n${T1},one\n`;

  const sent: ClientRequest[] = [];
  const begin = (path: string) => {
    const query = new URLSearchParams({ provider: 'csv' });
    const url = `${service().url}${importsOf(form)}${path}?${query}`;
    const upload = request(url, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${String(owner.secret)}`,
        'Content-Type': 'application/octet-stream',
        'Content-Length': FILE.length,
      },
    });
    upload.write(FILE.slice(0, 9));
    sent.push(upload);
    return new Promise<[ClientRequest, number]>((resolve, reject) => {
      upload.on('error', reject);
      upload.on('response', (answer) => {
        answer.resume();
        resolve([upload, answer.statusCode ?? 0]);
      });
    });
  };
  const paths = Array.from({ length: AT_ONCE + 1 }, (_, n) => (n % 2 === 0 ? '' : '/preview'));
  const answers = paths.map(begin);

  const [refused, status] = await Promise.race(answers);
  expect(status).toBe(409);
  for (const upload of sent) if (upload !== refused) upload.end(FILE.slice(9));
  const others = (await Promise.all(answers)).filter(([upload]) => upload !== refused);
  expect(others.filter(([, code]) => code === 200 || code === 202)).toHaveLength(AT_ONCE);
  refused.destroy();
});

describe('Who imports', () => {
  it('of another account stores the same rows as other submissions', async () => {
    const stranger = await service().openAccount();
    const file = `Date,m\n${T1},one\n`;
    await take('csv', file);
    const theirs = await stranger.makeForm();
    expect(await imported(service(), stranger, theirs, 'csv', file)).toMatchObject({ imported: 1 });
    expect(await stored()).toHaveLength(1);
  });

  it('is stopped once a client does not see the form any more', async () => {
    const clientId = await owner.makeClient({ form_ids: [form.id] });
    const client = service().as(await owner.makeClientToken(clientId));
    const { body } = await sendFile(client, form, 'csv', `Date,m\n${T1},one\n`).expect(202);
    const { id } = body.import;
    await owner.patch(`/api/v1/clients/${clientId}`, { client: { form_ids: [] } }).expect(200);

    await service().work('import');

    expect(await shownImport(owner, form, id)).toMatchObject({
      ...{ state: 'failed', imported: 0 },
      error: { code: 'no_longer_allowed' },
    });
  });
});

it('What is imported into the past is found where texts were in blocks', async () => {
  const line = (n: number, m: string) => `${new Date(Date.UTC(2021, 0, 1) + n * 1000).toISOString()},${m}\n`;
  const many = Array.from({ length: 4_200 }, (_, n) => line(2 * n, `hay ${n}`)).join('');
  await take('csv', `Date,m\n${many}`);
  await service().upkeep();
  await service().app.get(BlockBuilder).buildAll({ now: new Date() });
  expect(await countOf('text_blocks')).toBe(1);

  await take('csv', `Date,m\n${line(-10, 'needle first')}${line(101, 'needle between')}`);
  await service().upkeep();

  const found = async () => (await stored(form, 'query=needle')).map(({ values }) => values.m);
  expect(await found()).toEqual(['needle between', 'needle first']);
  await service().app.get(BlockBuilder).buildAll({ now: new Date() });
  expect(await countOf('text_blocks')).toBe(1);
  expect(await found()).toEqual(['needle between', 'needle first']);
});
