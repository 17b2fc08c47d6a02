import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { freePort, Program } from '../support/program.js';
import { Probe } from '../support/probe.js';
import { send } from '../support/submit.js';
import { until } from '../support/until.js';
import {
  ROUTES,
  worstCasesOf,
  worstHeaders,
  worstSubmissions,
  type WorstCase,
} from '../support/worst-cases.js';

/** Where other checks share the processors a process computes more slowly, and collects its garbage later. */
const BUSY = process.env.CI ? 3 : 1;
/** What one request may keep everybody else waiting. */
const STALL_MAX_MS = 100 * BUSY;
/** What one request may add to the memory of the process. */
const GROWTH_MAX_MIB = 64 * BUSY;
/** A machine that is busy with something else is given more time, by what it needs for nothing. */
const TRIES = 3;
/** Requests that are measured together; each by itself only when they cost too much together. */
const TOGETHER = 10;
const AT_ONCE = 60;
/** What an honest visitor waits at most meanwhile. */
const HONEST_MAX_MS = 10_000;
const SECRET = 'a-token-of-the-cost-tests.1';
/** Nothing is deleted that the next test needs. */
const UNKNOWN_ID = '2000000000';
const NO_LIMIT = '1000000';
const BUDGET_MS = 300_000;

let database: TestDatabase;
let program: Program;
let probe: Probe;
let url: string;
let identifier: string;
let submission: string;

const bearer = { Authorization: `Bearer ${SECRET}` };
const json = { 'Content-Type': 'application/json' };

beforeAll(async () => {
  // The embedded database shares the thread of all requests.
  database = await createDatabase('');
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  program = Program.service({
    ...database.settings,
    PORT: port,
    BOOTSTRAP_TOKEN: SECRET,
    TRUST_PROXY: '1',
    LOG_LEVEL: 'warn',
    RATE_LIMIT_ADDRESS: NO_LIMIT,
    RATE_LIMIT_FORM: NO_LIMIT,
    RATE_LIMIT_TOKEN: NO_LIMIT,
    RATE_LIMIT_FAILURES: NO_LIMIT,
  });
  await until(
    () =>
      fetch(`${url}/api/v1/me`, { headers: bearer }).then(
        ({ ok }) => ok,
        () => false,
      ),
    60_000,
  );
  const { body } = await send(`${url}/api/v1/forms`, {
    headers: { ...json, ...bearer },
    body: JSON.stringify({ form: { name: 'Worst', show_submitted_values: true } }),
  });
  identifier = String(body.identifier);
  submission = String(
    (await send(`${url}/f/${identifier}`, { ...urlencodedType, body: 'a=1' })).body.id,
  );
  probe = new Probe(url, program.pid);
}, 90_000);
afterAll(async () => {
  await probe.close();
  await program.kill();
  await database.drop();
});

const urlencodedType = { type: 'application/x-www-form-urlencoded' };

/** An address with ids that exist, for as long as nothing has deleted them. */
const fill = (path: string) =>
  path
    .replace('{identifier}', identifier)
    .replace('/submissions/{id}', `/submissions/${submission}`)
    .replace(/\{\w+\}/g, UNKNOWN_ID);

/** Sends a request and reads all of its answer, unless the service hangs up first. */
async function request({ method, path, headers, body }: WorstCase): Promise<void> {
  const response = await fetch(url + path, {
    method,
    redirect: 'manual',
    headers: { ...bearer, ...headers },
    ...(body !== undefined && method !== 'GET' && { body: new Uint8Array(Buffer.from(body)) }),
  });
  const reader = response.body?.getReader();
  while (reader && !(await reader.read()).done) continue;
}

/** What the probe measures while nothing is asked. */
async function rest(): Promise<number> {
  await probe.begin();
  for (let i = 0; i < 5; i++) await request({ what: '', method: 'GET', path: '/health/live' });
  return (await probe.end()).stallMs;
}

/** What requests cost together, if that is too much for one; null otherwise. */
async function excess(cases: WorstCase[], slowness = 0): Promise<string | null> {
  await probe.begin();
  for (const each of cases) await request(each).catch(() => undefined);
  const { stallMs, grownMib } = await probe.end();
  const held = stallMs <= STALL_MAX_MS + 2 * slowness && grownMib <= GROWTH_MAX_MIB;
  return held ? null : `${Math.round(stallMs)} ms, ${Math.round(grownMib)} MiB`;
}

/** Names the requests that cost too much however often they are tried. */
async function tooExpensive(cases: Iterable<WorstCase>): Promise<string[]> {
  const found: string[] = [];
  const all = [...cases];
  while (all.length > 0) {
    const some = all.splice(0, TOGETHER);
    if ((await excess(some)) === null) continue;
    for (const each of some) {
      let cost = await excess([each]);
      for (let tries = 1; tries < TRIES && cost !== null; tries++) {
        cost = await excess([each], await rest());
      }
      if (cost === null) continue;
      found.push(`${each.method} ${each.path.slice(0, 80)} ${each.what}: ${cost}`);
    }
  }
  return found;
}

describe('No request keeps everybody waiting or takes much memory', () => {
  const kept = ROUTES.filter(
    ({ method, path }) => !(method === 'DELETE' && /forms\/\{\w+\}$/.test(path)),
  );

  it.each(kept.map((route) => [route.method, route.path, route] as const))(
    '%s %s',
    async (_method, _path, route) => {
      expect(await tooExpensive(worstCasesOf(route, fill))).toEqual([]);
      expect((await fetch(`${url}/api/v1/me`, { headers: bearer })).status).toBe(200);
    },
    BUDGET_MS,
  );

  it(
    'whatever its headers are',
    async () => {
      expect(await tooExpensive(worstHeaders(`/f/${identifier}`))).toEqual([]);
    },
    BUDGET_MS,
  );

  it(
    'whatever is submitted, in every encoding',
    async () => {
      expect(await tooExpensive(worstSubmissions(`/f/${identifier}`))).toEqual([]);
    },
    BUDGET_MS,
  );
});

describe('Many of the worst at once', () => {
  /** Submits as an honest visitor from elsewhere until it is stopped. */
  function visit(): () => Promise<{ refused: number[]; longestMs: number; count: number }> {
    const stopped = new AbortController();
    const refused: number[] = [];
    let longestMs = 0;
    let count = 0;
    const visiting = (async () => {
      while (!stopped.signal.aborted) {
        const begin = performance.now();
        const headers = { 'X-Forwarded-For': '192.0.2.1' };
        const { status } = await send(`${url}/f/${identifier}`, {
          ...urlencodedType,
          body: 'name=Jane&message=Hello',
          headers,
        });
        longestMs = Math.max(longestMs, performance.now() - begin);
        count++;
        if (status !== 200) refused.push(status);
      }
    })();
    return async () => {
      stopped.abort();
      await visiting;
      return { refused, longestMs, count };
    };
  }

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
      const stop = visit();
      await Promise.allSettled(Array.from({ length: AT_ONCE }, () => request(each)));
      const { refused, longestMs, count } = await stop();
      expect(refused).toEqual([]);
      expect(count).toBeGreaterThan(0);
      expect(longestMs).toBeLessThan(HONEST_MAX_MS);
    },
    BUDGET_MS,
  );
});
