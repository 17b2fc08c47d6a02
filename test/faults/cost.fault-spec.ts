import type { PrivateServer } from '../support/private-server.js';
import { formsOn, linksOn, type PageForm } from '../support/page-forms.js';
import { send, urlencoded } from '../support/submit.js';
import {
  COMPOSED,
  ROUTES,
  RUNS,
  worstCasesOf,
  worstHeaders,
  worstOfPage,
  worstSubmissions,
  type WorstCase,
} from '../support/worst-cases.js';
import { startDatabase } from './kit/database.js';
import { inFull } from './kit/duration.js';
import { Meter } from './kit/meter.js';

const AT_ONCE = 60;
/** Each run of characters is tried on one of so many routes and forms of pages: what reads them is the same. */
const SHARE = inFull(1, 8);
const unitsAt = (at: number) => RUNS.filter((_, index) => index % SHARE === at % SHARE);
/** Length of each of the values that are searched, in bytes. */
const SEARCHED_BYTES = 255_000;
/** Longest wait of an honest visitor meanwhile. */
const HONEST_MAX_MS = 10_000;
/** Nothing is deleted that the next test needs. */
const UNKNOWN_ID = '2000000000';
/** Route that would sign the owner out. */
const ENDS_SESSION = '/sign-out';
/** Signals that wait for somebody else. */
const ASK_OTHERS = ['captcha', 'email_domain', 'rspamd', 'akismet'];
const BUDGET_MS = 300_000;
const START_MS = 90_000;
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
  const { body } = await send(`${meter.url}/api/v1/forms`, {
    headers: { ...json, ...meter.bearer },
    body: JSON.stringify({ form: { name: 'Worst', show_submitted_values: true } }),
  });
  identifier = String(body.identifier);
  submission = String(
    (await send(`${meter.url}/f/${identifier}`, { ...urlencodedType, body: 'a=1' })).body.id,
  );
  busy = await makeBusyForm();
}

const api = (method: string, path: string, body?: object) =>
  send(`${meter.url}/api/v1/${path}`, {
    method,
    headers: { ...json, ...meter.bearer },
    ...(body && { body: JSON.stringify(body) }),
  });

async function makeBusyForm(): Promise<string> {
  const form = {
    name: 'Busy',
    show_submitted_values: true,
    webhook_url: 'https://example.com/hook',
    notify_owner_emails: 'ada@example.com',
    notify_submitter: true,
    notify_submitter_body: '{{message}}'.repeat(900),
  };
  const made = await api('POST', 'forms', { form });
  expect(made.status).toBe(201);
  const at = `forms/${String(made.body.identifier)}/spam`;
  const { signals } = (await api('GET', at)).body.spam as { signals: Record<string, object> };
  const own = Object.keys(signals).filter((name) => !ASK_OTHERS.includes(name));
  const on = Object.fromEntries(own.map((name) => [name, { enabled: true }]));
  expect((await api('PUT', at, { spam: { signals: on } })).status).toBe(200);
  return String(made.body.identifier);
}

const urlencodedType = { type: 'application/x-www-form-urlencoded' };

/** An address with ids that exist, for as long as nothing has deleted them. */
const fill = (path: string) =>
  path
    .replace('{identifier}', identifier)
    .replace('/submissions/{id}', `/submissions/${submission}`)
    .replace(/\{\w+\}/g, UNKNOWN_ID);

/** Opens every page that links lead to, and returns each form once. @param headers of who is signed in */
async function formsOfAllPages(headers: Record<string, string>): Promise<PageForm[]> {
  const forms = new Map<string, PageForm>();
  const waiting = ['/inbox', '/forms', '/clients', '/tokens', '/people', '/account', '/status'];
  const opened = new Set(waiting);
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const { text } = await send(meter.url + path, { method: 'GET', headers });
    for (const form of formsOn(text, path)) {
      const key = `${form.method} ${kindOf(form.path)}`;
      if (!form.path.startsWith(ENDS_SESSION) && isOfOurForm(form.path)) forms.set(key, form);
    }
    for (const link of linksOn(text)) {
      const [address = ''] = link.split('?');
      if (opened.has(kindOf(address)) || !isOfOurForm(address)) continue;
      opened.add(kindOf(address));
      waiting.push(address);
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
  ])(
    'whatever is submitted %s, in every encoding',
    async (_, formOf) => {
      expect(await meter.tooExpensive(worstSubmissions(`/f/${formOf()}`))).toEqual([]);
    },
    BUDGET_MS,
  );

  it.each(COMPOSED)(
    'a search through values of %j alone',
    async (unit) => {
      const text = unit.repeat(SEARCHED_BYTES / Buffer.byteLength(unit));
      const body = JSON.stringify({ a: text, b: text, c: text });
      const sent = await send(`${meter.url}/f/${identifier}`, { headers: json, body });
      expect(sent.status).toBe(200);
      const paths = [`forms/${identifier}/submissions?q=zz`, 'submissions?q=zz', 'unread?q=zz'];
      const searches = paths.map((path) => ({ what: '', method: 'GET', path: `/api/v1/${path}` }));
      expect(await meter.tooExpensive(searches)).toEqual([]);
    },
    BUDGET_MS,
  );
}

// It shares the thread of all requests.
describe('On the embedded database', () => {
  beforeAll(() => start(''), START_MS);
  afterAll(() => meter.stop());

  describe('No request keeps everybody waiting or takes much memory', () => {
    const kept = ROUTES.filter(
      ({ method, path }) => !(method === 'DELETE' && /forms\/\{\w+\}$/.test(path)),
    );

    it.each(kept.map((route, at) => [route.method, route.path, route, unitsAt(at)] as const))(
      '%s %s',
      async (_method, _path, route, units) => {
        expect(await meter.tooExpensive(worstCasesOf(route, fill, units))).toEqual([]);
        expect((await fetch(`${meter.url}/api/v1/me`, { headers: meter.bearer })).status).toBe(200);
      },
      BUDGET_MS,
    );

    it(
      'whatever its headers are',
      async () => {
        expect(await meter.tooExpensive(worstHeaders(`/f/${identifier}`))).toEqual([]);
      },
      BUDGET_MS,
    );

    itTakesEverySubmission();
  });

  describe('Many of the worst at once', () => {
    it.each<[string, () => WorstCase]>([
      [
        'bodies of the API',
        () => ({
          what: 'objects',
          method: 'POST',
          path: '/api/v1/forms',
          headers: json,
          body: `[${'{},'.repeat(300_000)}{}]`,
        }),
      ],
      [
        'bodies of strangers',
        () => ({
          what: 'objects',
          method: 'POST',
          path: '/api/v1/forms',
          headers: { ...json, Authorization: 'Bearer mistyped' },
          body: `[${'{},'.repeat(300_000)}{}]`,
        }),
      ],
    ])(
      'makes nobody wait but them: %s',
      async (_, make) => {
        const each = make();
        const visitor = meter.visit(identifier);
        await Promise.allSettled(Array.from({ length: AT_ONCE }, () => meter.request(each)));
        const { refused, longestMs, count } = await visitor.leave();
        expect(refused).toEqual([]);
        expect(count).toBeGreaterThan(0);
        expect(longestMs).toBeLessThan(HONEST_MAX_MS);
      },
      BUDGET_MS,
    );
  });
});

describe('With limits of fields, depth and values at their most', () => {
  beforeAll(() => start('', COSTLY_SETTINGS), START_MS);
  afterAll(() => meter.stop());

  it(
    'no request keeps everybody waiting or takes much memory, whatever its headers are',
    async () => {
      expect(await meter.tooExpensive(worstHeaders(`/f/${identifier}`))).toEqual([]);
    },
    BUDGET_MS,
  );

  it(
    'no submission keeps everybody waiting or takes much memory, to a form with everything on',
    async () => {
      const cases = worstSubmissions(`/f/${busy}`, COSTLY_LIMITS);
      expect(await meter.tooExpensive(cases)).toEqual([]);
    },
    BUDGET_MS,
  );
});

// A service of its own: pages are long where other tests have left long settings.
describe('On the pages of the embedded database', () => {
  beforeAll(() => start(''), START_MS);
  afterAll(() => meter.stop());

  it(
    'no form keeps everybody waiting or takes much memory, whatever it sends',
    async () => {
      const headers = await meter.signIn();
      const forms = await formsOfAllPages(headers);
      expect(forms.length).toBeGreaterThan(30);
      // They are taken as what this person's browser sends.
      const taken = await send(`${meter.url}/account/keys`, { ...urlencoded([]), headers });
      expect(taken.status).toBe(303);
      for (const [at, form] of forms.entries()) {
        const cases = [...worstOfPage(form, unitsAt(at))].map((each) => ({
          ...each,
          headers: { ...each.headers, ...headers },
        }));
        expect(await meter.tooExpensive(cases)).toEqual([]);
      }
    },
    BUDGET_MS,
  );
});

// There, values are written into the text of a statement.
describe('On a server no submission keeps everybody waiting or takes much memory', () => {
  let server: PrivateServer | undefined;
  beforeAll(async () => {
    server = GIVEN === undefined ? await startDatabase() : undefined;
    await start(GIVEN ?? String(server?.url));
  }, START_MS);
  afterAll(async () => {
    await meter.stop();
    await server?.stop();
  });

  itTakesEverySubmission();
});
