import { multipart, urlencoded } from '../support/submit.js';
import { crawl, get, Meter } from './kit/meter.js';

/** A little less than a value may have, and what every format writes longer than it is. */
const VALUE = '"<&\n'.repeat(64 * 1024 - 64);
const PAGE_SIZE = 100;
/** Most fields of a submission. */
const FIELDS = 500;
const NAMES = 1_000;
const WIDE = 200;
/** Pages of one kind that are looked at. */
const OF_A_KIND = 3;

let meter: Meter;
/** Headers of what the owner's browser sends. */
let page: Record<string, string>;
/** Identifiers of forms: with submissions of a megabyte each, with many different names, with long settings. */
let large: string;
let wide: string;
let long: string;

beforeAll(async () => {
  meter = await Meter.start();
  large = await meter.makeForm({ name: 'Large' });
  wide = await meter.makeForm({ name: 'Wide' });
  long = await meter.makeForm(LONGEST);
  const members = ['a', 'b', 'c'].map((name) => [name, VALUE] as const);
  for (let n = 0; n < PAGE_SIZE; n++) await meter.submit(large, multipart(members));
  for (let n = 0; n < WIDE; n++) {
    const names = Array.from({ length: FIELDS }, (_, at) => `field ${(n * 7 + at * 3) % NAMES}`);
    const pairs = [...new Set(names)].map((name) => [name, `${n}`] as const);
    await meter.submit(wide, urlencoded(pairs));
  }
  for (let n = 0; n < PAGE_SIZE; n++) await meter.makeForm({ ...LONGEST, name: `${n} `.repeat(60) });
  const { forms } = (await meter.api('GET', 'forms?per_page=100')).body;
  const form_ids = (forms as { id: number }[]).map(({ id }) => id);
  const role = { role: 'editor', send: false };
  for (let n = 0; n < 50; n++) {
    const client = { name: 'J'.repeat(255), email: `jane${n}@example.com`, form_ids };
    const person = { email: `p${n}@example.com`, name: 'P'.repeat(100), ...role };
    await meter.api('POST', 'clients', { client });
    await meter.api('POST', 'tokens', { token: { name: 'T'.repeat(255) } });
    await meter.api('POST', 'people', { person });
  }
  page = await meter.signIn();
});
afterAll(() => meter.stop());

const UNKNOWN_FORMS = Array.from({ length: 100_000 }, (_, n) => n + 1);
/** Each setting of a form at its longest. */
const LONGEST = {
  name: 'N'.repeat(255),
  submission_text: '<é"'.repeat(3_000),
  webhook_url: null,
  redirect_url: `https://example.com/?${'a'.repeat(2_000)}`,
  notify_submitter: true,
  notify_submitter_from: `${'a'.repeat(60)}@example.com`,
  notify_submitter_from_name: 'N'.repeat(255),
  notify_submitter_subject: '{{form.name}} '.repeat(18),
  notify_submitter_body: '{{form.name}}\n'.repeat(700),
  notify_owner_emails: Array.from({ length: 10 }, (_, n) => `owner${n}@example.com`).join(','),
  show_submitted_values: true,
  whitelisted_domains: Array.from({ length: 150 }, (_, n) => `h${n}.org`).join(','),
};

describe('What has grown large keeps nobody waiting and takes little memory', () => {
  const FORMS: [string, () => string][] = [
    ['submissions of a megabyte each', () => large],
    ['submissions with many different names', () => wide],
    ['nothing but long settings', () => long],
  ];
  const ALL = '?spam=all&trash=all';
  const NOTHING = '?query=nothing+has+this';

  describe.each(FORMS)('when a form with %s', (_, identifierOf) => {
    const formAt = (path: string) => get(`/api/v1/forms/${identifierOf()}${path}`);

    it.each(['csv', 'ndjson', 'xlsx'])('is exported as %s', (format) =>
      meter.expectCheap([ALL, NOTHING].map((query) => formAt(`/submissions.${format}${query}`))),
    );

    it('is listed and searched', () =>
      meter.expectCheap(
        [
          ...[ALL, NOTHING].map((query) => `/submissions${query}&per_page=${PAGE_SIZE}`),
          `/value_exists?field=a&value=${'x'.repeat(8_000)}`,
          ...['', '/warnings', '/webhook', '/recipients', '/retention'],
        ].map(formAt),
      ));
  });

  it('when lists are as long as they get', async () => {
    const lists = ['forms?per_page=100', 'clients', 'clients/1', 'tokens', 'people', 'invitations'];
    await meter.expectCheap([...lists, 'audit?per_page=100'].map((path) => get(`/api/v1/${path}`)));
  });

  it.each<[string, () => string, object]>([
    ['longest there are', () => `forms/${long}`, { form: LONGEST }],
    ['forms that are unknown', () => 'clients/1', { client: { form_ids: UNKNOWN_FORMS } }],
  ])('when settings are changed to the %s', (what, pathOf, body) =>
    meter.expectCheap([
      {
        ...{ what, method: 'PATCH', path: `/api/v1/${pathOf()}` },
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      },
    ]),
  );

  it('when many ask for large pages and exports at once', () => {
    const formats = ['', '.csv', '.ndjson', '.xlsx'];
    const paths = formats.map((format) => `submissions${format}${ALL}&per_page=${PAGE_SIZE}`);
    const cases = paths.map((path) => get(`/api/v1/forms/${large}/${path}`));
    return meter.expectVisits(wide, cases);
  });

  it('when its pages are opened, wherever their links lead', async () => {
    const start = ['/inbox', '/forms', '/clients', '/tokens', '/account', '/status'];
    const lists = [`/inbox?form=${large}`, `/inbox?form=${wide}`];
    const kindOf = (path: string) => path.replace(/=[^&]*/g, '=').replace(/\/[0-9a-f-]{1,36}(?=\/|\?|$)/g, '/x');
    const pages: string[] = [];
    const expensive: string[] = [];
    const some = { ofAKind: OF_A_KIND };
    for await (const { path } of crawl(meter, [...start, ...lists], page, kindOf, some)) {
      pages.push(path);
      expensive.push(...(await meter.tooExpensive([get(path, page)])));
    }
    expect(expensive).toEqual([]);
    expect(pages.length).toBeGreaterThan(start.length + lists.length);
  });
});
