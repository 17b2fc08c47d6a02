import { readSheet } from 'read-excel-file/node';
import { readCsv } from '../support/csv.js';
import { imported } from '../support/imports.js';
import { refusal } from '../support/refusal.js';
import { useService, useOwner, useForm, type FormBody } from '../support/service.js';
import { pathOf, type SubmissionBody } from '../support/submissions.js';
import { unzip } from '../support/unzip.js';

/** No worker runs by itself: the test says when. */
const service = useService({ WORKERS: 'off' });
const owner = useOwner(service);
const form = useForm(owner);
beforeEach(async () => {
  const file = 'Date,m\n2025-01-15T23:30:00Z,winter\n2025-07-15T23:30:05.070Z,summer\n';
  await imported(service(), owner, form, 'csv', file);
});

const exported = async (ending: string, query = ''): Promise<Buffer> =>
  (
    await owner
      .get(`${pathOf(form)}.${ending}?${query}`)
      .responseType('blob')
      .expect(200)
  ).body;

const told = (text: string) => readCsv(text.replace('\uFEFF', '')).map((row) => row[1]);

async function stored(of: FormBody): Promise<[string, unknown][]> {
  const { submissions } = (await owner.read(pathOf(of))) as { submissions: SubmissionBody[] };
  return submissions.map(({ created_at, values }) => [created_at, values]);
}

const ZONES = [
  ['Europe/Berlin', '2025-07-16T01:30:05.070+02:00', '2025-01-16T00:30:00.000+01:00'],
  ['America/New_York', '2025-07-15T19:30:05.070-04:00', '2025-01-15T18:30:00.000-05:00'],
  ['Asia/Tehran', '2025-07-16T03:00:05.070+03:30', '2025-01-16T03:00:00.000+03:30'],
  ['UTC', '2025-07-15T23:30:05.070Z', '2025-01-15T23:30:00.000Z'],
] as const;

describe.each(ZONES)('An export in %s', (zone, summer, winter) => {
  it('has the times of its clocks, each with its offset, in CSV and NDJSON', async () => {
    const csv = (await exported('csv', `zone=${zone}`)).toString();
    expect(told(csv)).toEqual(['created_at', summer, winter]);
    const lines = (await exported('ndjson', `zone=${zone}`)).toString().trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as SubmissionBody).created_at)).toEqual([summer, winter]);
  });

  it('has them as times in XLSX, whose cells name the zone', async () => {
    const bytes = await exported('xlsx', `zone=${zone}&columns=created_at`);
    const [header, ...rows] = await readSheet(bytes);
    expect(header).toEqual(['created_at']);
    const shown = rows.map(([at]) => Math.round((at as unknown as Date).getTime() / 1000));
    // The reader takes what a cell shows for UTC.
    const clocks = [summer, winter].map((text) => Date.parse(`${text.slice(0, 19)}Z`) / 1000);
    expect(shown).toEqual(clocks);
    const styles = unzip(bytes)['xl/styles.xml'];
    expect(styles).toContain(`hh:mm:ss&quot; ${zone}&quot;"`);
  });

  it('is imported again at the same moments, and adds nothing to its own form', async () => {
    for (const [ending, provider] of [
      ['csv', 'csv'],
      ['ndjson', 'ndjson'],
    ] as const) {
      const file = await exported(ending, `zone=${zone}`);
      const other = await owner.makeForm();
      expect(await imported(service(), owner, other, provider, file)).toMatchObject({ imported: 2 });
      expect(await stored(other)).toEqual(await stored(form));
      const again = await imported(service(), owner, form, provider, file);
      expect(again).toMatchObject({ imported: 0, skipped: 2 });
    }
  });

  it('is written by a job too', async () => {
    const path = `/api/v1/forms/${form.identifier}/exports` as const;
    const { body } = await owner.post(path, { format: 'csv', zone }).expect(202);
    await service().work('export');
    const { text } = await owner.get(`/api/v1/jobs/${body.id}/file`).expect(200);
    expect(told(text)).toEqual(['created_at', summer, winter]);
  });
});

it('An export without a zone is in UTC, and XLSX says so, with room for it', async () => {
  expect(told((await exported('csv')).toString())).toEqual(['created_at', ZONES[3][1], ZONES[3][2]]);
  const files = unzip(await exported('xlsx'));
  expect(files['xl/styles.xml']).toContain('hh:mm:ss&quot; UTC&quot;');
  expect(files['xl/worksheets/sheet1.xml']).toMatch(/<col min="2" max="2" width="\d\d" /);
  const narrow = unzip(await exported('xlsx', 'columns=m'));
  expect(narrow['xl/worksheets/sheet1.xml']).not.toContain('<col ');
});

it.each(['Mars', 'Europe/Nowhere', '+02:00'])('An export in the zone %s is refused', async (zone) => {
  const query = new URLSearchParams({ zone });
  for (const ending of ['csv', 'ndjson', 'xlsx']) {
    await owner.get(`${pathOf(form)}.${ending}?${query}`).expect(refusal(422, 'invalid_fields', 'zone'));
  }
  await owner
    .post(`/api/v1/forms/${form.identifier}/exports`, { format: 'csv', zone })
    .expect(refusal(422, 'invalid_fields', 'zone'));
});

it('Pages give files with the times of whoever looks, or in UTC where they choose that', async () => {
  const browser = await service().makeBrowser(owner);
  await browser.post('/account/time-zone', { 'settings.time_zone': 'Europe/Berlin' });
  const inbox = await browser.get(`/inbox?q=form:${form.identifier}`);
  const query = new URLSearchParams({ q: `form:${form.identifier}`, zone: 'Europe/Berlin' });
  const address = `/forms/${form.identifier}/submissions.csv?${query}`;
  expect(inbox.text).toContain(address.replaceAll('&', '&amp;'));
  expect(told((await browser.get(address)).text)).toEqual(['created_at', ...ZONES[0].slice(1)]);

  const page = `/forms/${form.identifier}/submissions/export`;
  const choice = (await browser.get(page)).text;
  expect(choice).toMatch(/<select id="[^"]*" name="zone">.*Europe\/Berlin.*UTC/);
  const made = await browser.post(page, { format: 'csv', q: '', zone: 'Europe/Berlin' });
  await service().work('export');
  const file = await browser.get(`${made.headers.location ?? ''}/file`);
  expect(told(file.text)).toEqual(['created_at', ...ZONES[0].slice(1)]);
});
