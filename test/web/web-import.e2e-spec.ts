import request from 'supertest';
import type { Browser } from '../support/people.js';
import { useService, type FormBody, type Caller } from '../support/service.js';
import { pathOf, type SubmissionBody } from '../support/submissions.js';

/** No worker runs by itself: the test says when. */
const service = useService({ WORKERS: 'off' });
let owner: Caller;
let browser: Browser;
let form: FormBody;
beforeAll(async () => {
  owner = await service().openAccount();
  browser = await service().makeBrowser(owner);
});
beforeEach(async () => {
  form = await owner.makeForm();
});

const page = () => `/forms/${form.identifier}/import`;

/** Sends a file as a browser does. */
function upload(provider: string, file: string | Buffer | null, name = 'Größe.csv') {
  const cookies = [...browser.cookies].map(([key, value]) => `${key}=${value}`).join('; ');
  const call = request(service().url)
    .post(page())
    .redirects(0)
    .set({ 'Sec-Fetch-Site': 'same-origin', Cookie: cookies })
    .field('provider', provider);
  return file === null ? call : call.attach('file', Buffer.from(file), name);
}

/** Returns the chosen uses of the columns. */
function usesIn(page: string): (string | undefined)[] {
  const selects = page.match(/<select name="use".*?<\/select>/g) ?? [];
  return selects.map((select) => /value="(\w+)" selected/.exec(select)?.[1]);
}

const stored = async (): Promise<SubmissionBody[]> => (await owner.read(pathOf(form))).submissions;

const FILE = 'Sent,Your name,IP,message\n2019-05-06 07:08:09,Ada,192.0.2.1,<b>Hi</b>\nnever,Bob,192.0.2.2,Broken\n';

it('A file is looked at, its columns are chosen, it is imported, and that is undone', async () => {
  await owner.put(`/api/v1/forms/${form.identifier}/retention`, { days: 30 }).expect(200);
  expect((await browser.get(page())).text).toContain('Formspree');
  const taken = await upload('csv', FILE);
  expect(taken.status).toBe(303);
  const { location = '' } = taken.headers as { location?: string };
  const draft = await browser.get(location);
  expect(draft.text).toContain('Größe.csv');
  expect(draft.text).toContain('1 submission is ready to import. 1 row cannot be imported.');
  const samples = [...draft.text.matchAll(/<div class="hint" dir="auto">([^<]*)/g)];
  expect(samples.slice(0, 2).map(([, text]) => text)).toEqual(['2019-05-06 07:08:09', 'never']);
  expect(usesIn(draft.text)).toEqual(['time', 'field', 'none', 'field']);

  const chosen = await browser.post(`${location}/reading`, {
    column: ['Sent', 'Your name', 'IP', 'message'],
    use: ['time', 'field', 'none', 'field'],
    name: ['Sent', 'name', 'IP', 'message'],
    ...{ undated: 'refuse', files: 'true' },
  });
  expect(chosen).toMatchObject({ status: 303, headers: { location } });
  const { text } = await browser.get(location);
  expect(text).toContain('1 submission is ready to import. 1 row cannot be imported.');
  expect(text).toContain('We cannot read its time, &quot;never&quot;.');
  expect(text).toContain('&lt;b>Hi&lt;/b>');
  expect(text).toContain('older than the 30 days that this form keeps submissions');
  expect(text).toMatch(/<input[^>]*name="files"[^>]*checked/);
  expect(await stored()).toEqual([]);

  expect((await browser.post(`${location}/start`)).headers.location).toBe(location);
  expect((await browser.get(location)).text).toContain('Waiting');
  await service().work('import');
  const result = (await browser.get(location)).text;
  expect(result).toContain('1 submission imported');
  expect(result).toContain('Undo this import');
  expect(await stored()).toMatchObject([
    { created_at: '2019-05-06T07:08:09.000Z', values: { name: 'Ada', message: '<b>Hi</b>' } },
  ]);
  expect((await browser.get(page())).text).toContain(`href="${location}"`);
  // What has begun is not read in another way any more.
  await browser.post(`${location}/reading`, { undated: 'now' });
  expect((await browser.get(location)).text).toContain('Finished');

  await browser.post(`${location}/undo`);
  await service().work('import');
  expect((await browser.get(location)).text).toContain('Undone');
  expect(await stored()).toEqual([]);
});

it('A file in another encoding asks which, and shows its rows again as chosen', async () => {
  const bytes = Buffer.from('c4e0f2e03bc8ecff0a323032332d30352d31373bc0edede00a', 'hex');
  const { location = '' } = (await upload('csv', bytes)).headers as { location?: string };
  const guessed = (await browser.get(location)).text;
  expect(guessed).toContain('Are all letters right, or which encoding is it?');
  expect(guessed).toContain('<code dir="auto">Èìÿ</code>');

  const typed = { column: ['Äàòà', 'Èìÿ'], use: ['time', 'field'], name: ['Äàòà', 'Èìÿ'] };
  await browser.post(`${location}/reading`, { ...typed, encoding: 'windows-1251' });
  const { text } = await browser.get(location);
  expect(text).not.toContain('which encoding is it?');
  expect(text).toContain('1 submission is ready to import.');
  expect(text).toContain('<code dir="auto">Имя</code>');
  expect(text).toContain('<option value="windows-1251" selected');
  await browser.post(`${location}/start`);
  await service().work('import');
  expect(await stored()).toMatchObject([{ values: { Имя: 'Анна' } }]);
});

it('A file whose time or dates are not clear asks, and stays as it was chosen', async () => {
  const { headers } = await upload('csv', 'Day,Until,IP,m\n3/4/2023,4/5/2023,192.0.2.1,x\n');
  const { location = '' } = headers as { location?: string };
  const asked = (await browser.get(location)).text;
  expect(asked).toContain('can be read in two ways. Does the day or the month come first?');

  const column = ['Day', 'Until', 'IP', 'm'];
  const use = ['field', 'field', 'field', 'field'];
  const read = (typed: object) =>
    browser.post(`${location}/reading`, { column, use, name: column, encoding: '', ...typed });
  await read({ dates: 'day_first' });
  const fields = (await browser.get(location)).text;
  expect(fields).toContain('No column was read as the time. Which one is it?');
  expect(usesIn(fields)).toEqual(use);

  await read({ dates: 'day_first', use: ['time', 'field', 'field', 'none'] });
  await browser.post(`${location}/start`);
  await service().work('import');
  expect(await stored()).toMatchObject([
    { created_at: '2023-04-03T00:00:00.000Z', values: { Until: '4/5/2023', IP: '192.0.2.1' } },
  ]);
});

it('A file that cannot be read is refused beside its field', async () => {
  const zip = 'PK\x03\x04rest';
  const cases = [
    [null, 'Choose a file'],
    ['', 'The file is empty.'],
    [zip, 'Unpack it first'],
    [Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'Save the sheet as CSV (UTF-8) and import that.'],
    ['<!doctype html><title>Sign in</title>', 'This is a web page.'],
  ] as const;
  for (const [file, said] of cases) {
    const { status, text } = await upload('netlify', file);
    expect({ status, has: text.includes(said) }).toEqual({ status: 422, has: true });
    expect(text).toMatch(/<option value="netlify" selected/);
  }
  expect((await browser.get(page())).text).not.toContain('Earlier imports');
});

it('Files that could not be fetched are named beside the result', async () => {
  const address = 'http://192.0.2.1/cv.pdf';
  const { headers } = await upload('csv', `Date,cv\n2019-05-06,${address}\n`);
  const { location = '' } = headers as { location?: string };
  await browser.post(`${location}/reading`, { undated: 'refuse', files: 'true' });
  await browser.post(`${location}/start`);
  await service().work('import');

  const { text } = await browser.get(location);
  expect(text).toContain('1 submission imported');
  expect(text).toContain('1 file could not be fetched.');
  expect(text).toContain(`${address} leads to an address that is not public.`);
  expect(await stored()).toMatchObject([{ values: { cv: address } }]);
});

it('A file that nobody begins to import can be let go of', async () => {
  const { location = '' } = (await upload('csv', FILE)).headers as { location?: string };
  expect((await browser.post(`${location}/undo`)).headers.location).toBe(page());
  expect((await browser.get(location)).status).toBe(404);
});

it('An empty inbox of a form leads there', async () => {
  const { text } = await browser.get(`/inbox?q=form:${form.identifier}`);
  expect(text).toContain(`href="${page()}"`);
});
