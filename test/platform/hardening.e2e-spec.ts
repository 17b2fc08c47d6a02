import { DataSource } from 'typeorm';
import { ReadManager } from '../../src/platform/database/sql.js';
import { RawClient } from '../support/raw-client.js';
import { isForSessions, routesOf } from '../support/routes.js';
import { useService, type Caller } from '../support/service.js';
import { Inbox, json, multipart, send, urlencoded, type Sent } from '../support/submit.js';

const ONE = urlencoded([['a', '1']]);
const HTML = { Accept: 'text/html' };

const service = useService({ BASE_URL: 'https://forms.example.com', MAX_BODY_BYTES: '4096' });
let inbox: Inbox;
beforeEach(async () => {
  inbox = await Inbox.open(service());
});
const get = (path: string, headers: Record<string, string> = {}) =>
  send(service().url + path, { method: 'GET', headers });
const bearer = ({ secret }: Caller) => ({ Authorization: `Bearer ${String(secret)}` });

describe('Every answer', () => {
  it('is held to its type, to https and to a policy, whatever it is (O-01)', async () => {
    const submit = (sent: Sent) => inbox.submit(sent);
    const path = `/f/${inbox.form.identifier}`;
    const stored = await submit({ ...ONE, headers: HTML });
    const answers = {
      'a stored submission': await submit(ONE),
      'a redirect': stored,
      'a refused submission': await submit(urlencoded([])),
      'a refused submission in a browser': await submit({ ...urlencoded([]), headers: HTML }),
      'a submission to nowhere': await send(`${service().url}/f/x`, ONE),
      'a preflight': await submit({ method: 'OPTIONS' }),
      'a form in a browser': await get(path, HTML),
      'a form that is not there': await get('/f/x', HTML),
      'a thank-you page': await get(new URL(stored.headers.get('Location') ?? '').pathname),
      'a file that is not there': await get('/files/x'),
      'a wrong method': await submit({ method: 'PUT' }),
      'a list': await get('/api/v1/forms', bearer(inbox.owner)),
      'a call without a token': await get('/api/v1/forms'),
      'a wrong method of the API': await send(`${service().url}/api/v1/forms`, { method: 'PUT' }),
      'the documentation': await get('/docs'),
      'a guide': await get('/docs/start'),
      'a guide in Markdown': await get('/docs/start.md'),
      'the document': await get('/api/openapi.json'),
      nothing: await get('/nothing'),
      health: await get('/health/live'),
    };

    for (const [what, { headers }] of Object.entries(answers)) {
      const said = ['X-Content-Type-Options', 'Strict-Transport-Security', 'X-Powered-By'];
      expect({ what, said: said.map((name) => headers.get(name)) }).toEqual({
        what,
        said: ['nosniff', 'max-age=31536000', null],
      });
      expect({ what, policy: headers.get('Content-Security-Policy') }).toEqual({
        what,
        policy: expect.stringMatching(/default-src '(?:none|self)'/),
      });
    }
  });

  it('of the API is for no other origin, and no preflight says otherwise (O-10)', async () => {
    for (const method of ['GET', 'OPTIONS']) {
      for (const path of ['/api/v1/forms', '/api/v1/me', '/files/x', '/health/live']) {
        const { headers } = await send(service().url + path, {
          method,
          headers: { Origin: 'https://x.example', 'Access-Control-Request-Method': 'DELETE', ...bearer(inbox.owner) },
        });
        for (const name of ['Origin', 'Methods', 'Headers', 'Credentials']) {
          expect(headers.get(`Access-Control-Allow-${name}`)).toBeNull();
        }
      }
    }
  });

  it.each(['TRACE', 'PROPFIND', 'PATCH'])('to the method %s is 405 with those there are (S-13)', async (method) => {
    for (const [path, allowed] of [
      [`/f/${inbox.form.identifier}`, 'GET, HEAD, OPTIONS, POST'],
      ['/api/v1/forms', 'GET, HEAD, POST, PUT'],
      ['/health/live', 'GET, HEAD'],
    ] as const) {
      const client = await RawClient.to(service().url);
      client.write(`${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      const answer = await client.closed;
      expect({ path, answer }).toEqual({
        path,
        answer: expect.stringMatching(new RegExp(`^HTTP/1.1 405 .*\r\nAllow: ${allowed}\r\n`, 's')),
      });
    }
  });
});

describe('What went wrong inside', () => {
  const INSIDE = /SELECT|digest\b|\bat \/|node_modules|\.[jt]s:\d|better-sqlite3|mysql|stack|fcs_/i;

  it('is shown by no route, whatever is wrong with a request (O-08)', async () => {
    const routes = routesOf(service().app);
    const wrong = [
      ['{"form":{"name":"x"', 'application/json'],
      ['name=x', 'text/plain'],
      [JSON.stringify({ a: 'x'.repeat(1_100_000) }), 'application/json'],
      ['{"nothing":{"of":"this"}}', 'application/json'],
    ] as const;
    expect(routes.length).toBeGreaterThan(30);
    for (const [sent, type] of wrong) {
      for (const { method, path } of routes) {
        if (method === 'get') continue;
        const { status, text } = await inbox.owner[method](path).set('Content-Type', type).send(sent);
        if (status >= 400) expect(text).not.toMatch(INSIDE);
        expect(status).toBeLessThan(500);
      }
    }
  });

  it('is shown by no route when the database fails (O-08)', async () => {
    const { app } = service();
    const failure = new Error("SELECT digest FROM tokens at /srv/app/dist/forms.js:1 'fcs_secret'");
    const failing = () => {
      throw failure;
    };
    const routes = routesOf(app).filter(({ path }) => path.startsWith('/api/v1/') && !isForSessions(path));
    // Not used before, since a token that was recognised is remembered for a second.
    const holder = service().as((await inbox.owner.makeToken()).token);
    for (const source of new Set([app.get(DataSource), app.get(ReadManager).manager.dataSource])) {
      jest.spyOn(source, 'createQueryRunner').mockImplementation(failing);
      const { pool } = source.driver as { pool?: { getConnection(done: (error: Error) => void): void } };
      if (pool)
        jest.spyOn(pool, 'getConnection').mockImplementation((done) => {
          done(failure);
        });
    }

    for (const { method, path } of [...routes, { method: 'get' as const, path: '/f/0123456789abcdef' }]) {
      const { status, text, headers } = await holder.send(method, path);
      expect({ method, path, status, type: headers['content-type'] }).toEqual({
        method,
        path,
        status: 500,
        type: 'application/problem+json; charset=utf-8',
      });
      expect(text).not.toMatch(INSIDE);
    }
    for (const headers of [{}, HTML]) {
      const answer = await send(`${service().url}/f/fedcba9876543210`, { ...ONE, headers });
      expect(answer.status).toBe(500);
      // A style sheet has words of its own.
      const shown = answer.text.replace(/<style>[^<]*<\/style>/, '');
      expect(shown).not.toMatch(INSIDE);
    }
  });
});

it('While hundreds attack (S-02) others are answered, and nothing is left behind', async () => {
  const bomb = '['.repeat(60_000);
  const attacks: Sent[] = [
    urlencoded([['a', 'x'.repeat(60_000)]]),
    urlencoded(Array.from({ length: 5_000 }, (_, i) => [`a[${i}][b]`, ''] as const)),
    { type: 'application/json', body: `{"a":${bomb}` },
    json([['a', 'x'.repeat(60_000)]]),
    multipart(Array.from({ length: 1_000 }, () => ['', ''] as const)),
    { type: 'multipart/form-data; boundary=x', body: `--x\r\n${'a: b\r\n'.repeat(10_000)}` },
    { type: 'multipart/form-data', body: bomb },
    { ...ONE, headers: { 'Content-Encoding': 'gzip' }, body: bomb },
  ];
  const under = Promise.all(Array.from({ length: 200 }, (_, i) => inbox.submit(attacks[i % attacks.length] ?? ONE)));
  for (let i = 0; i < 5; i++) expect((await inbox.submit(ONE)).status).toBe(200);

  const statuses = (await under).map(({ status }) => status);
  expect(statuses.filter((status) => status < 400 || status >= 500)).toEqual([]);
  expect(await inbox.count()).toBe(5);
});
