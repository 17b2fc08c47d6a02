import type { ServerResponse } from 'node:http';
import { imported, importsOf, sendFile, shownImport } from '../support/imports.js';
import { freePort } from '../support/program.js';
import { useService, type FormBody, type Caller } from '../support/service.js';
import { storedFiles } from '../support/stored-files.js';
import { pathOf, type SubmissionBody } from '../support/submissions.js';
import { until } from '../support/until.js';
import { Trap, WebhookReceiver } from '../support/webhook-receiver.js';

/** No worker runs by itself: the test says when. */
const service = useService({
  ...{ WORKERS: 'off', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' },
  ...{ MAX_FILES: '2', MAX_FILE_BYTES: '2048', MAX_ACCOUNT_FILES_BYTES: '4096' },
});
let owner: Caller;
let form: FormBody;
let provider: WebhookReceiver;
let inside: Trap;
/** Answers that the provider owes. */
let waiting: ServerResponse[];
beforeAll(async () => {
  inside = await Trap.set('::1');
  provider = await WebhookReceiver.start();
  provider.behaviour = (response, { url: asked = '' }) => {
    const [url = ''] = asked.split('?');
    const send = (status: number, body: string | Buffer, headers: Record<string, string>) =>
      response.writeHead(status, headers).end(body);
    const size = /^\/(\d+)/.exec(url)?.[1];
    if (size !== undefined) send(200, Buffer.alloc(Number(size)), { 'content-type': 'image/png' });
    else if (url === '/cv.pdf') send(200, 'CV', { 'content-type': 'application/pdf; x=y' });
    else if (url === '/moved.pdf') send(302, '', { location: '/cv.pdf' });
    else if (url === '/inside.pdf') send(302, '', { location: `http://[::1]:${inside.port}/cv.pdf` });
    else if (url === '/circle.pdf') send(302, '', { location: '/circle.pdf' });
    else if (url === '/page.pdf') send(200, '<form>', { 'content-type': 'text/html' });
    else if (url === '/cut.pdf') response.writeHead(200).write('C', () => response.destroy());
    else if (url === '/slow.pdf') waiting.push(response);
    else if (url === '/endless.pdf') {
      response.writeHead(200, { 'content-type': 'application/pdf' });
      response.write(Buffer.alloc(2048));
      response.write(Buffer.alloc(1));
    } else send(404, '', {});
  };
});
beforeEach(async () => {
  waiting = [];
  provider.calls.length = 0;
  owner = await service().openAccount();
  form = await owner.makeForm();
});
afterEach(async () => {
  // The folder of files is one for all tests.
  await owner.delete(`/api/v1/forms/${form.identifier}`);
});
afterAll(async () => {
  await provider.close();
  await inside.close();
});

const FETCH = { files: 'fetch' };
const T1 = '2019-11-03T07:28:29.707Z';
const at = (path: string) => `http://127.0.0.1:${provider.port}/${path}`;
const rows = (...values: string[]) => `Date,cv\n${values.map((each) => `${T1},${each}\n`).join('')}`;
const take = (name: string, file: string, options: Record<string, string> = FETCH) =>
  imported(service(), owner, form, name, file, options);

const stored = async (): Promise<SubmissionBody[]> => (await owner.read(`${pathOf(form)}?spam=all`)).submissions;

const told = (all: SubmissionBody[]) =>
  all.map(({ values, files }) => [values, files.map(({ field, name }) => `${field}: ${name}`)]);

describe('A file that an export names by its address', () => {
  it('is stored as if it had been sent, once, and removed when the import is undone', async () => {
    const before = await storedFiles(service().config);
    const file = `Date,name,cv\n${T1},Ada,${at('moved.pdf')}\n`;
    const entry = await take('csv', file);

    expect(entry).toMatchObject({ imported: 1, broken: 0, files_missing: 0, missing_files: [] });
    const [submission] = await stored();
    expect(submission).toMatchObject({
      values: { name: 'Ada' },
      files: [{ field: 'cv', name: 'moved.pdf', type: 'application/pdf', size: 2 }],
    });
    const [counted] = await service().query<{ n: number | string }[]>(
      `SELECT files_bytes AS n FROM forms WHERE id = ${form.id}`,
    );
    expect(Number(counted?.n)).toBe(2);

    provider.calls.length = 0;
    expect(await take('csv', file)).toMatchObject({ imported: 0, skipped: 1 });
    expect(provider.calls).toEqual([]);

    await owner.delete(`${importsOf(form)}/${entry.id}`).expect(202);
    await service().work('import');
    expect(await storedFiles(service().config)).toEqual(before);
  });

  it('stays an address unless it is asked for', async () => {
    expect(await take('csv', rows(at('cv.pdf')), {})).toMatchObject({ imported: 1 });
    expect(told(await stored())).toEqual([[{ cv: at('cv.pdf') }, []]]);
    expect(provider.calls).toEqual([]);
  });

  it('is found in lists and objects, and in no other text', async () => {
    const cv = at('cv.pdf');
    const data = {
      ...{ text: `See ${cv}`, site: 'https://example.com/about.html', home: at('') },
      ...{ two: `${cv}, ${at('10.png')}`, mixed: [cv, 'none'] },
    };
    const upload = { url: at('cv.pdf?token=1'), filename: '../ü.pdf', type: 'text/plain', size: 2 };
    const entry = await take('netlify', JSON.stringify([{ id: 1, created_at: T1, data: { ...data, upload } }]));
    expect(entry.missing_files.map(({ reason }) => reason)).toEqual([
      'It names 3 files. A submission can have 2: the others keep their addresses.',
    ]);
    const [first] = await stored();
    expect(first?.files.map(({ name }) => name)).toEqual(['cv.pdf', '10.png']);
    // Two are all that a submission can have.
    const { two: _, ...rest } = data;
    expect(first?.values).toEqual({ ...rest, upload });

    await take('netlify', JSON.stringify([{ id: 2, created_at: T1, data: { a: 'b', upload } }]));
    await take('basin', JSON.stringify([{ id: 3, created_at: T1, a: [{ public_url: cv }] }]));
    const names = (await stored()).flatMap(({ files }) => files.map(({ name }) => name));
    expect(names).toEqual(expect.arrayContaining(['ü.pdf', 'cv.pdf']));
  });

  it('stays in an object that says more than where a file is', async () => {
    const place = { url: at('cv.pdf'), comment: 'Call me' };
    const nameless = { url: at('api') };
    await take('netlify', JSON.stringify([{ id: 1, created_at: T1, data: { place, nameless } }]));
    expect(told(await stored())).toEqual([[{ place, nameless }, []]]);
    expect(provider.calls).toEqual([]);
  });

  it('comes with the first of two rows that have one id', async () => {
    const row = (value: string) => ({ id: 1, created_at: T1, data: { cv: value } });
    const entry = await take('netlify', JSON.stringify([row(at('cv.pdf')), row(at('10.png'))]));
    expect(entry).toMatchObject({ imported: 1, skipped: 1 });
    expect(told(await stored())).toEqual([[{}, ['cv: cv.pdf']]]);
  });

  it('is asked for no more often than a submission can have files', async () => {
    const many = Array.from({ length: 40 }, (_, n) => at(`gone${n}.pdf`)).join(' ');
    const entry = await take('csv', rows(many));
    expect(provider.calls).toHaveLength(2);
    expect(entry.files_missing).toBe(3);
    expect(told(await stored())).toEqual([[{ cv: many }, []]]);
  });

  it('is not waited for again and again where its server does not answer', async () => {
    const port = await freePort();
    const file = rows(...Array.from({ length: 20 }, (_, n) => `http://127.0.0.1:${port}/${n}.pdf`));
    const reasons = (await take('csv', file)).missing_files.map(({ reason }) => reason);
    expect(reasons.filter((each) => each.includes('could not be')).length).toBeLessThan(10);
    expect(reasons.at(-1)).toContain('was not asked for: its server did not answer before.');
  });

  it.each([
    ['gone.pdf', 'answered 404'],
    ['page.pdf', 'answered with a page instead of a file'],
    ['3000.png', 'is larger than 2 KiB'],
    ['endless.pdf', 'is larger than 2 KiB'],
    ['inside.pdf', 'leads to an address that is not public'],
    ['circle.pdf', 'redirected more than 3 times'],
    ['cut.pdf', 'could not be reached (UND_ERR_SOCKET)'],
    ['slow.pdf', 'did not answer within 30 seconds'],
  ])('%s stays an address, and its row is stored: it %s', async (path, reason) => {
    const real = AbortSignal.timeout.bind(AbortSignal);
    const sooner = jest.spyOn(AbortSignal, 'timeout');
    sooner.mockImplementation((ms) => real(path === 'slow.pdf' && ms === 30_000 ? 50 : ms));
    const before = await storedFiles(service().config);
    const entry = await take('csv', rows(at(path), at('cv.pdf'))).finally(() => {
      sooner.mockRestore();
    });

    expect(entry).toMatchObject({ imported: 2, broken: 0, broken_rows: [], files_missing: 1 });
    const said = `The field "cv" keeps its address: ${at(path)} ${reason}.`;
    expect(entry.missing_files).toEqual([{ line: 2, reason: said }]);
    expect(told(await stored())).toEqual(
      expect.arrayContaining([
        [{ cv: at(path) }, []],
        [{}, ['cv: cv.pdf']],
      ]),
    );
    expect(await storedFiles(service().config)).toHaveLength(before.length + 1);
    expect(inside.connections).toBe(0);
  });

  it('is refused beyond the space of the account', async () => {
    const entry = await take('csv', rows(at('2000.png'), at('2001.png'), at('2002.png')));
    expect(entry).toMatchObject({ imported: 3, files_missing: 1 });
    expect(entry.missing_files[0]?.reason).toContain('does not fit into the space for files.');
  });

  it('is stored once when the worker ends meanwhile, and another goes on', async () => {
    const before = await storedFiles(service().config);
    const file = rows(...Array.from({ length: 25 }, (_, n) => at(n === 22 ? 'slow.pdf' : `${n}.png`)));
    const { id } = (await sendFile(owner, form, 'csv', file, FETCH).expect(202)).body.import;
    const stop = new AbortController();
    const working = service().work('import', new Date(), stop.signal);
    await until(() => waiting.length === 1);
    stop.abort();
    await working;
    expect(await shownImport(owner, form, id)).toMatchObject({ state: 'running', done: 20 });
    expect(await storedFiles(service().config)).toHaveLength(before.length + 20);

    const going = service().work('import');
    await until(() => waiting.length === 2);
    waiting[1]?.end('slow');
    await going;
    expect(await shownImport(owner, form, id)).toMatchObject({ imported: 25, files_missing: 0 });
    const names = (await stored()).flatMap(({ files }) => files.map(({ name }) => name));
    expect(new Set(names).size).toBe(25);
    expect(names).toHaveLength(25);
    expect(await storedFiles(service().config)).toHaveLength(before.length + 25);
  });
});
