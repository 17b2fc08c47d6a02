import type { Pool } from 'mysql2';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { ExportService } from '../../src/jobs/exports/export.service.js';
import { SearchGate } from '../../src/search/finder/search-gate.js';
import { Matcher } from '../../src/search/finder/form-candidates.js';
import { TextMover } from '../../src/search/texts/block-builder.js';
import type { Browser } from '../support/people.js';
import { askOnly } from '../support/raw-client.js';
import { refusal } from '../support/refusal.js';
import { useService, type FormBody, type Caller } from '../support/service.js';
import { pathOf, type SubmissionListBody } from '../support/submissions.js';
import { until } from '../support/until.js';
import { FROM_NEWEST } from '../../src/submissions/rows/submission-ids.js';

const service = useService({ WORKERS: 'off' });
let owner: Caller;
let form: FormBody;
/** Somebody else, at a browser. */
let browser: Browser;
let another: Caller;
beforeAll(async () => {
  ({ browser, owner: another } = await service().openWithOwner());
});
beforeEach(async () => {
  owner = await service().openAccount();
  form = await owner.makeForm();
  await service().submit(form, { m: 'cake' });
});
afterEach(() => {
  releaseWalks();
});

let releaseWalks: () => void = () => undefined;

const SEARCH = '/api/v1/submissions';

describe('A line that means nothing', () => {
  const LONG = 'x'.repeat(10_000);
  /** Whether it is understood, and whether it then means all that there is. */
  const LINES: [string, 'all' | 'none' | 'refused'][] = [
    ['c', 'all'],
    ['x', 'none'],
    ['   ', 'all'],
    ['\t\r\n\u00a0\u2003', 'all'],
    ...['%', '_', '*', '?', '\\', '\\%', '%%%', '_'.repeat(255), '\\'.repeat(255)].map((line): [string, 'none'] => [
      line,
      'none',
    ]),
    ['"', 'all'],
    ['""', 'all'],
    ['"" "" "', 'all'],
    ['form:', 'none'],
    ['tag:', 'none'],
    [':', 'none'],
    ['":"', 'none'],
    ['tag:""', 'none'],
    ['name:""', 'none'],
    ['"":x', 'none'],
    ['form:""', 'refused'],
    ['is:""', 'refused'],
    ['has:""', 'refused'],
    ['from:"" to:""', 'refused'],
    ['assigned:""', 'refused'],
    ['visitor:""', 'refused'],
    ['from:0000-00-00', 'refused'],
    ['from:9999d to:9999d', 'none'],
    ['\0', 'none'],
    ['m:\0', 'none'],
    ['form:\0', 'refused'],
    ['tag:\0', 'none'],
    ['\ufffd', 'none'],
    [LONG, 'refused'],
    ['%'.repeat(10_000), 'refused'],
    [' '.repeat(10_000), 'refused'],
  ];
  const name = (line: string) => (line.length > 20 ? `${line.slice(0, 20)}…` : line);

  it.each(LINES.map(([line, meant]) => [name(line), meant, line] as const))(
    '%j is taken as it stands, in lists, pages, exports and jobs: %s',
    async (_, meant, line) => {
      const q = new URLSearchParams({ q: line }).toString();
      const status = meant === 'refused' ? 422 : 200;
      const count = meant === 'all' ? 1 : 0;
      for (const path of [pathOf(form), SEARCH]) {
        const { body } = await owner.get(`${path}?${q}`).expect(status);
        if (status === 200) {
          expect(body.submissions).toHaveLength(count);
        }
      }
      for (const ending of ['csv', 'ndjson', 'xlsx']) {
        const { text } = await owner.get(`${pathOf(form)}.${ending}?${q}`).expect(status);
        if (ending === 'ndjson' && status === 200) expect(text.includes('cake')).toBe(count === 1);
      }
      // The page has no bound but that of addresses.
      const { status: shown } = await browser.get(`/inbox?${q}`);
      expect([200, status]).toContain(shown);
      const task = { q: line, format: 'csv' };
      await owner.post(`/api/v1/forms/${form.identifier}/exports`, task).expect(status === 200 ? 202 : 422);
      const bulk = { q: line, changes: { read: true } };
      await owner.post(`${SEARCH}/bulk`, bulk).expect(status === 200 ? 202 : 422);
    },
  );

  it.each(['\\ud83d', '\\ude00', 'ca\\ud83d', 'm:\\ude00', 'tag:\\ud83d', '\\ude00\\ud83d'])(
    'with half of a character is refused in a body, and finds nothing in an address: %s',
    async (half) => {
      const send = (path: string, body: string) => owner.post(path).set('Content-Type', 'application/json').send(body);
      await send(`/api/v1/forms/${form.identifier}/exports`, `{"format":"csv","q":"${half}"}`).expect(
        refusal(422, 'invalid_fields', 'q'),
      );
      await send(`${SEARCH}/bulk`, `{"q":"${half}","changes":{"read":true}}`).expect(
        refusal(422, 'invalid_fields', 'q'),
      );
      const bytes = half.replace(/\\ud83d/g, '%ED%A0%BD').replace(/\\ude00/g, '%ED%B8%80');
      for (const path of [pathOf(form), SEARCH, `${pathOf(form)}.ndjson`]) {
        expect((await owner.get(`${path}?q=${bytes}`).expect(200)).text).not.toContain('cake');
      }
    },
  );
});

/** Holds what is searched before each piece; tells how many walks began, and most that were open at once. */
function holdWalks(pieces: number) {
  const matcher = service().app.get(Matcher, { strict: false });
  const seen = { begun: 0, open: 0, most: 0, pieces: 0 };
  const held = new Promise<void>((resolve) => (releaseWalks = resolve));
  const [, last] = FROM_NEWEST;
  jest.spyOn(matcher, 'matching').mockImplementation(async function* () {
    seen.begun++;
    seen.most = Math.max(seen.most, ++seen.open);
    try {
      for (let piece = 0; piece < pieces; piece++) {
        seen.pieces++;
        await held;
        yield { ids: [], rows: 1, last };
        await nextTurn();
      }
    } finally {
      seen.open--;
    }
  });
  return { seen, release: releaseWalks };
}

const waiting = () => {
  const gate = service().app.get(SearchGate, { strict: false });
  return (Reflect.get(gate, 'waiting') as unknown[]).length;
};

async function makeCallers(count: number): Promise<Caller[]> {
  const callers = [owner];
  while (callers.length < count) callers.push(service().as((await owner.makeToken()).token));
  return callers;
}

describe('A hundred searches at once', () => {
  it.each([
    ['one token', 1, 1],
    ['fifty tokens', 50, 2],
  ])('from %s: %d at most is of one, and visitors wait for none', async (_, tokens, most) => {
    const callers = await makeCallers(tokens);
    const { seen, release } = holdWalks(1);
    const answers = Array.from({ length: 100 }, async (_each, n) => {
      const caller = callers[n % tokens] ?? owner;
      return caller.get(`${pathOf(form)}?query=cake`);
    });
    // Of one token twenty wait; the others are refused at once.
    const waits = Math.min(100 - most, 20 * tokens);
    await until(() => seen.begun === most && waiting() === waits);

    await service().submit(form, { m: 'a visitor beside them' });
    expect((await owner.list(form)).count).toBe(2);

    // The others have waited for long enough; those that run are not over yet.
    await until(() => waiting() === 0);
    release();
    const statuses = new Map<number, number>();
    for (const answer of await Promise.all(answers)) {
      const { status, headers } = answer;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 200) continue;
      refusal(status, status === 429 ? 'search_under_way' : 'searches_busy')(answer);
      expect([status, Number(headers['retry-after']) > 0]).toEqual([status, true]);
    }
    expect(statuses.get(200)).toBe(most);
    expect(statuses.get(429)).toBe(tokens === 1 ? 99 : 2);
    expect(seen).toMatchObject({ begun: most, most, open: 0 });
  });

  it('leaves nothing behind when those who asked have gone', async () => {
    const callers = await makeCallers(50);
    const { seen, release } = holdWalks(1);
    const gone = new AbortController();
    const before = service().log.length;
    const answers = Array.from({ length: 100 }, (_, n) => {
      const headers = { Authorization: `Bearer ${callers[n % 50]?.secret ?? ''}` };
      return fetch(`${service().url}${SEARCH}?q=cake`, { headers, signal: gone.signal });
    });
    await until(() => seen.begun === 2 && waiting() === 98);

    gone.abort();
    await Promise.allSettled(answers);
    // Sooner than those would have waited for long enough.
    await until(() => waiting() === 0, 2_000);
    release();
    await until(() => seen.open === 0);

    expect(seen.begun).toBe(2);
    jest.restoreAllMocks();
    expect((await owner.list(form, 'query=cake')).count).toBe(1);
    expect(service().log.slice(before)).not.toContain('"level":"error"');
  });
});

it.each([
  ['in a form', () => `${pathOf(form)}?q=cake` as const],
  ['over all forms', () => `${SEARCH}?q=cake`],
  ['on a page', () => '/inbox?q=cake'],
])('A search whose client leaves ends with its statement: %s', async (_, path) => {
  await service().submit(await another.makeForm());
  const { seen, release } = holdWalks(5);
  const before = service().log.length;
  const gone = new AbortController();
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const headers = { Authorization: `Bearer ${owner.secret ?? ''}` };
  const answer = fetch(service().url + path(), {
    headers: path().startsWith('/api') ? headers : { Cookie: cookie },
    signal: gone.signal,
  });
  await until(() => seen.pieces === 1);

  gone.abort();
  await expect(answer).rejects.toThrow();
  await until(() => service().log.slice(before).includes('"status":null'));
  release();
  await until(() => seen.open === 0);

  expect(seen.pieces).toBe(1);
  expect(service().log.slice(before)).not.toContain('"level":"error"');
});

it.each(['cake', 'last:cake'])(
  'Where each submission is as long as it may be, a search looks at no more than it has time for: %s',
  async (q) => {
    form = await owner.makeForm();
    const ids: string[] = [];
    const long = 'x'.repeat(230_000);
    for (let n = 0; n < 4; n++) {
      ids.unshift(await service().submit(form, { a: long, b: long, c: long, last: 'cake' }));
    }
    const find = async (path: string) => {
      const { submissions, next_page: next } = (await owner.read(path)) as SubmissionListBody;
      return { ids: submissions.map(({ id }) => id), next };
    };
    const textsAreMade = async () => {
      await service().query('DELETE FROM text_progress');
      await service()
        .app.get(TextMover, { strict: false })
        .moveAll({ before: new Date(Date.now() + 1_000) });
    };
    for (const change of [() => Promise.resolve(), textsAreMade]) {
      await change();
      for (const path of [pathOf(form), SEARCH]) {
        let now = 0;
        jest.spyOn(performance, 'now').mockImplementation(() => (now += 10_000));
        const first = await find(`${path}?q=form:${form.identifier}+${q}`);
        jest.restoreAllMocks();
        expect(first.ids).toEqual(ids.slice(0, 1));
        const { pathname, search } = new URL(first.next ?? '');
        expect((await find(pathname + search)).ids).toEqual(ids.slice(1));
      }
    }
    await service().query('DELETE FROM text_progress');
  },
);

describe('An export that nobody reads on', () => {
  const ask = (path: string) => askOnly(service().url, path, owner.secret);

  /** Connections to a server that somebody has; none on the embedded database. */
  const taken = () => {
    const { pool } = service().app.get(DataSource).driver as { pool?: Pool };
    if (!pool) return 0;
    const { _allConnections: all, _freeConnections: free } = pool as unknown as Record<
      '_allConnections' | '_freeConnections',
      { length: number }
    >;
    return all.length - free.length;
  };

  it.each(['csv?columns=m', 'ndjson', 'xlsx?columns=m'])(
    'stops reading, holds no connection to the database, and ends with its client: %s',
    async (ending) => {
      // Of what packs badly, so that a workbook is long too.
      const noise = () => Array.from({ length: 50_000 }, () => Math.random().toString(36)[5]);
      for (let n = 0; n < 4; n++) await service().submit(form, { m: noise().join('') });
      const reader = service().app.get(ExportService, { strict: false });
      const read = reader.read.bind(reader);
      let reads = 0;
      let open = 0;
      jest.spyOn(reader, 'read').mockImplementation(async function* (...asked) {
        open++;
        try {
          for (;;) {
            reads++;
            yield* read(...asked);
          }
        } finally {
          open--;
        }
      });
      const sockets = await Promise.all(Array.from({ length: 4 }, () => ask(`${pathOf(form)}.${ending}`)));
      await until(() => open === 4 && reads > 4);

      await until(async () => {
        const before = reads;
        for (let n = 0; n < 3; n++) await owner.list(form, 'per_page=1');
        return reads === before;
      }, 20_000);
      await until(() => taken() === 0);
      expect(open).toBe(4);

      for (const socket of sockets) socket.destroy();
      await until(() => open === 0);
      await owner.get(`${pathOf(form)}?q=is:odd`).expect(refusal(422, 'filter_unclear'));
    },
  );
});
