import { linksOn } from '../support/page-forms.js';
import { multipart, send, urlencoded, type Answer } from '../support/submit.js';
import type { WorstCase } from '../support/worst-cases.js';
import { Meter } from './kit/meter.js';

const BUDGET_MS = 300_000;
const AT_ONCE = 60;
/** Longest wait of an honest visitor meanwhile. */
const HONEST_MAX_MS = 10_000;
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
  large = await makeForm({ name: 'Large' });
  wide = await makeForm({ name: 'Wide' });
  long = await makeForm(LONGEST);
  const members = ['a', 'b', 'c'].map((name) => [name, VALUE] as const);
  for (let n = 0; n < PAGE_SIZE; n++) await submit(large, multipart(members));
  for (let n = 0; n < WIDE; n++) {
    const names = Array.from({ length: FIELDS }, (_, at) => `field ${(n * 7 + at * 3) % NAMES}`);
    await submit(wide, urlencoded([...new Set(names)].map((name) => [name, `${n}`])));
  }
  for (let n = 0; n < PAGE_SIZE; n++) await makeForm({ ...LONGEST, name: `${n} `.repeat(60) });
  const ids = (await api('GET', '/api/v1/forms?per_page=100')).body.forms as { id: number }[];
  for (let n = 0; n < 50; n++) {
    const client = { name: 'J'.repeat(255), email: `jane${n}@example.com` };
    const form_ids = ids.map(({ id }) => id);
    await api('POST', '/api/v1/clients', { client: { ...client, form_ids } });
    await api('POST', '/api/v1/tokens', { token: { name: 'T'.repeat(255) } });
    const person = {
      email: `p${n}@example.com`,
      name: 'P'.repeat(100),
      role: 'editor',
      send: false,
    };
    await api('POST', '/api/v1/people', { person });
  }
  page = await meter.signIn();
}, BUDGET_MS);
afterAll(() => meter.stop());

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

async function api(method: string, path: string, body?: object): Promise<Answer> {
  const answer = await send(meter.url + path, {
    method,
    headers: { ...meter.bearer },
    ...(body && { type: 'application/json', body: JSON.stringify(body) }),
  });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text.slice(0, 2_000)}`);
  return answer;
}

async function makeForm(form: object): Promise<string> {
  return String((await api('POST', '/api/v1/forms', { form })).body.identifier);
}

async function submit(identifier: string, sent: Parameters<typeof send>[1]): Promise<void> {
  const { status, text } = await send(`${meter.url}/f/${identifier}`, sent);
  if (status !== 200) throw new Error(`Refused with ${status}: ${text.slice(0, 2_000)}`);
}

const get = (path: string, headers: Record<string, string> = {}): WorstCase => ({
  what: '',
  method: 'GET',
  path,
  headers,
});

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

    it.each(['csv', 'ndjson', 'xlsx'])(
      'is exported as %s',
      async (format) => {
        const cases = [ALL, NOTHING].map((query) => formAt(`/submissions.${format}${query}`));
        expect(await meter.tooExpensive(cases)).toEqual([]);
      },
      BUDGET_MS,
    );

    it(
      'is listed and searched',
      async () => {
        const pages = [ALL, NOTHING].map((query) =>
          formAt(`/submissions${query}&per_page=${PAGE_SIZE}`),
        );
        const exists = formAt(`/value_exists?field=a&value=${'x'.repeat(8_000)}`);
        const others = ['', '/warnings', '/webhook', '/recipients', '/retention'].map(formAt);
        expect(await meter.tooExpensive([...pages, exists, ...others])).toEqual([]);
      },
      BUDGET_MS,
    );
  });

  it(
    'when lists are as long as they get',
    async () => {
      const lists = [
        'forms?per_page=100',
        'clients',
        'clients/1',
        'tokens',
        'people',
        'invitations',
      ];
      const cases = [...lists, 'audit?per_page=100'].map((path) => get(`/api/v1/${path}`));
      expect(await meter.tooExpensive(cases)).toEqual([]);
    },
    BUDGET_MS,
  );

  it(
    'when settings are changed to the longest there are',
    async () => {
      const body = JSON.stringify({ form: LONGEST });
      const headers = { 'Content-Type': 'application/json' };
      const path = `/api/v1/forms/${long}` as const;
      const client = JSON.stringify({
        client: { form_ids: Array.from({ length: 100_000 }, (_, n) => n + 1) },
      });
      const cases = [
        { what: 'form', method: 'PATCH', path, headers, body },
        {
          what: 'unknown forms',
          method: 'PATCH',
          path: '/api/v1/clients/1',
          headers,
          body: client,
        },
      ];
      expect(await meter.tooExpensive(cases)).toEqual([]);
    },
    BUDGET_MS,
  );

  it(
    'when many ask for large pages and exports at once',
    async () => {
      const paths = ['', '.csv', '.ndjson', '.xlsx'].map(
        (format) =>
          `/api/v1/forms/${large}/submissions${format}${ALL}&per_page=${PAGE_SIZE}` as const,
      );
      const many = Array.from({ length: AT_ONCE }, (_, n) => get(paths[n % paths.length] ?? ''));
      const visitor = meter.visit(wide);
      await Promise.allSettled(many.map((each) => meter.request(each)));
      const { refused, longestMs, count } = await visitor.leave();
      expect(refused).toEqual([]);
      expect(count).toBeGreaterThan(0);
      expect(longestMs).toBeLessThan(HONEST_MAX_MS);
    },
    BUDGET_MS,
  );

  it(
    'when its pages are opened, wherever their links lead',
    async () => {
      const headers = page;
      const start = ['/inbox', '/forms', '/clients', '/tokens', '/account', '/status'];
      const waiting = [...start, `/inbox?form=${large}`, `/inbox?form=${wide}`];
      const opened = new Set<string>();
      const ofKind = new Map<string, number>();
      const expensive: string[] = [];
      for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
        const kind = path.replace(/=[^&]*/g, '=').replace(/\/[0-9a-f-]{1,36}(?=\/|\?|$)/g, '/x');
        if (opened.has(path) || (ofKind.get(kind) ?? 0) === OF_A_KIND) continue;
        opened.add(path);
        ofKind.set(kind, (ofKind.get(kind) ?? 0) + 1);
        const { status, text } = await send(meter.url + path, { method: 'GET', headers });
        expect({ path, isFault: status >= 500 }).toEqual({ path, isFault: false });
        waiting.push(...linksOn(text));
        expensive.push(...(await meter.tooExpensive([get(path, headers)])));
      }
      expect(expensive).toEqual([]);
      expect(ofKind.size).toBeGreaterThan(start.length);
    },
    BUDGET_MS,
  );
});
