import type { PrivateServer } from '../support/private-server.js';
import { formsOn, type PageForm } from '../support/page-forms.js';
import { named, send, urlencoded } from '../support/submit.js';
import {
  COMPOSED,
  ROUTES,
  RUNS,
  worstCasesOf,
  worstHeaders,
  worstOfPage,
  worstSubmissions,
} from '../support/worst-cases.js';
import { inFull } from './kit/duration.js';
import { crawl, get, Meter } from './kit/meter.js';
import { startDatabase } from './kit/scene.js';

/** Each run of characters is tried on one of so many routes and forms of pages: what reads them is the same. */
const SHARE = inFull(1, 8);
const unitsAt = (at: number) => RUNS.filter((_, index) => index % SHARE === at % SHARE);
/** Length of each of the values that are searched, in bytes. */
const SEARCHED_BYTES = 255_000;
/** Nothing is deleted that the next test needs. */
const UNKNOWN_ID = '2000000000';
/** Route that would sign the owner out. */
const ENDS_SESSION = '/sign-out';
/** Signals that wait for somebody else. */
const ASK_OTHERS = ['captcha', 'email_domain', 'rspamd', 'akismet'];
/** A server to run on, such as one of the e2e tests; otherwise one is started. */
const [GIVEN] = (process.env.TEST_DATABASE_URL ?? '').split(/\s+/).filter(Boolean);

let meter: Meter;
let identifier: string;
let submission: string;
/** A form with everything on that a submission can cause, but for what asks other hosts. */
let busy: string;

const json = { 'Content-Type': 'application/json' };

/** Settings that let a submission of the same size cost more, at their most. */
const COSTLY_SETTINGS = {
  MAX_FIELDS: '10000',
  MAX_FIELD_NAME_BYTES: '4096',
  MAX_FIELD_VALUE_BYTES: '8388608',
  MAX_JSON_DEPTH: '100',
  STORE_IP: 'full',
  TRUST_PROXY: Array.from({ length: 200 }, (_, n) => `10.${n}.0.0/16`).join(','),
  LOG_LEVEL: 'trace',
};
const COSTLY_LIMITS = { valueBytes: 300 * 1024, fields: 9_999, levels: 100 };

/** @param server URL of a database server; empty for the embedded database */
async function start(server: string, settings: Record<string, string> = {}): Promise<void> {
  meter = await Meter.start(server, settings);
  identifier = await meter.makeForm({ name: 'Worst', show_submitted_values: true });
  submission = await meter.submit(identifier, named({ a: '1' }));
  busy = await meter.makeForm({
    name: 'Busy',
    show_submitted_values: true,
    webhook_url: 'https://example.com/hook',
    notify_owner_emails: 'ada@example.com',
    notify_submitter: true,
    notify_submitter_body: '{{message}}'.repeat(900),
  });
  const at = `forms/${busy}/spam`;
  const { signals } = (await meter.api('GET', at)).body.spam as { signals: Record<string, object> };
  const own = Object.keys(signals).filter((name) => !ASK_OTHERS.includes(name));
  const on = Object.fromEntries(own.map((name) => [name, { enabled: true }]));
  await meter.api('PUT', at, { spam: { signals: on } });
}

/** An address with ids that exist, for as long as nothing has deleted them. */
const fill = (path: string) =>
  path
    .replace('{identifier}', identifier)
    .replace('/submissions/{id}', `/submissions/${submission}`)
    .replace(/\{\w+\}/g, UNKNOWN_ID);

/** Opens every page that links lead to, and returns each form once. @param headers of who is signed in */
async function formsOfAllPages(headers: Record<string, string>): Promise<PageForm[]> {
  const forms = new Map<string, PageForm>();
  const start = ['/inbox', '/forms', '/clients', '/tokens', '/people', '/account', '/status'];
  const kindOfOurs = (path: string) => (isOfOurForm(path) ? kindOf(path) : null);
  const pathOf = (link: string) => link.replace(/\?.*/, '');
  for await (const { path, text } of crawl(meter, start, headers, kindOfOurs, { pathOf })) {
    for (const form of formsOn(text, path)) {
      const key = `${form.method} ${kindOf(form.path)}`;
      if (!form.path.startsWith(ENDS_SESSION) && isOfOurForm(form.path)) forms.set(key, form);
    }
  }
  return [...forms.values()];
}

/** One address stands for those that differ by an id. */
const kindOf = (path: string) =>
  path
    .split('/')
    .map((part) => (/^[0-9a-f-]+$/.test(part) && /\d/.test(part) ? 'x' : part))
    .join('/');

/** One form stands for all. */
function isOfOurForm(path: string): boolean {
  const [, noun = '', name = ''] = path.split('/');
  return !['forms', 'inbox'].includes(noun) || ['', 'new', identifier].includes(name);
}

function itTakesEverySubmission(): void {
  it.each([
    ['to a new form', () => identifier],
    ['to a form that judges by everything and tells everybody', () => busy],
  ])('whatever is submitted %s, in every encoding', (_, formOf) =>
    meter.expectCheap(worstSubmissions(`/f/${formOf()}`)),
  );

  it.each(COMPOSED)('a search through values of %j alone', async (unit) => {
    const text = unit.repeat(SEARCHED_BYTES / Buffer.byteLength(unit));
    const body = JSON.stringify({ a: text, b: text, c: text });
    await meter.submit(identifier, { headers: json, body });
    const paths = [`forms/${identifier}/submissions?q=zz`, 'submissions?q=zz', 'unread?q=zz'];
    await meter.expectCheap(paths.map((path) => get(`/api/v1/${path}`)));
  });
}

// It shares the thread of all requests.
describe('On the embedded database', () => {
  beforeAll(() => start(''));
  afterAll(() => meter.stop());

  describe('No request keeps everybody waiting or takes much memory', () => {
    const kept = ROUTES.filter(({ method, path }) => !(method === 'DELETE' && /forms\/\{\w+\}$/.test(path)));

    it.each(kept.map((route, at) => [route.method, route.path, route, unitsAt(at)] as const))(
      '%s %s',
      async (_method, _path, route, units) => {
        await meter.expectCheap(worstCasesOf(route, fill, units));
        await meter.api('GET', 'me');
      },
    );

    it('whatever its headers are', () => meter.expectCheap(worstHeaders(`/f/${identifier}`)));

    itTakesEverySubmission();
  });

  it.each([
    ['the API', {}],
    ['strangers', { Authorization: 'Bearer mistyped' }],
  ])('Many of the worst bodies of %s at once make nobody wait but them', (_, headers) =>
    meter.expectVisits(identifier, [
      {
        ...{ what: 'objects', method: 'POST', path: '/api/v1/forms' },
        headers: { ...json, ...headers },
        body: `[${'{},'.repeat(300_000)}{}]`,
      },
    ]),
  );
});

describe('With limits of fields, depth and values at their most nothing keeps everybody waiting or takes much memory:', () => {
  beforeAll(() => start('', COSTLY_SETTINGS));
  afterAll(() => meter.stop());

  it('no request, whatever its headers are', () => meter.expectCheap(worstHeaders(`/f/${identifier}`)));

  it('no submission to a form with everything on', () =>
    meter.expectCheap(worstSubmissions(`/f/${busy}`, COSTLY_LIMITS)));
});

// A service of its own: pages are long where other tests have left long settings.
describe('On the pages of the embedded database', () => {
  beforeAll(() => start(''));
  afterAll(() => meter.stop());

  it('no form keeps everybody waiting or takes much memory, whatever it sends', async () => {
    const headers = await meter.signIn();
    const forms = await formsOfAllPages(headers);
    expect(forms.length).toBeGreaterThan(30);
    // They are taken as what this person's browser sends.
    const taken = await send(`${meter.url}/account/keys`, { ...urlencoded([]), headers });
    expect(taken.status).toBe(303);
    for (const [at, form] of forms.entries()) {
      const cases = [...worstOfPage(form, unitsAt(at))];
      await meter.expectCheap(cases.map((each) => ({ ...each, headers: { ...each.headers, ...headers } })));
    }
  });
});

// There, values are written into the text of a statement.
describe('On a server no submission keeps everybody waiting or takes much memory', () => {
  let server: PrivateServer | undefined;
  beforeAll(async () => {
    server = GIVEN === undefined ? await startDatabase() : undefined;
    await start(GIVEN ?? String(server?.url));
  });
  afterAll(async () => {
    await meter.stop();
    await server?.stop();
  });

  itTakesEverySubmission();
});
