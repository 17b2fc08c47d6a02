import { connect } from 'node:net';
import { DataSource } from 'typeorm';
import { ReadManager } from '../../src/platform/database/sql.js';
import { refusal } from '../support/refusal.js';
import { isForSessions, isPage, routesOf } from '../support/routes.js';
import { useService, useOwner } from '../support/service.js';

const FORMS = '/api/v1/forms';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const service = useService({
  METRICS_TOKEN: 'metrics-token-of-the-tests', // GET /metrics is guarded where it is served
  BOUNCE_TOKEN: 'bounce-token-of-the-tests', // and POST /bounces/…
  BOOTSTRAP_TOKEN: 'a-token-that-an-operator-chose',
  // Nothing but requests asks the database.
  WORKERS: 'off',
});
let secret: string;
const owner = useOwner(service);
beforeEach(() => {
  secret = String(owner.secret);
});

/** Sends lines as they are, which no HTTP client would, and resolves with the whole answer. */
function sendRaw(lines: string[]): Promise<string> {
  const { hostname, port } = new URL(service().url);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => {
      socket.write(`${[...lines, `Host: ${hostname}`, 'Connection: close'].join('\r\n')}\r\n\r\n`);
    });
    socket.on('data', (chunk) => (answer += chunk.toString()));
    socket.on('close', () => {
      resolve(answer);
    });
    socket.on('error', reject);
  });
}

/** Health, documentation, forms as visitors see them, and what signed links lead to. */
const FOR_EVERYONE =
  /^\/(?:health\/|api\/openapi|docs(?:\.md)?(?:\/|$)|llms(?:-full)?\.txt$|f\/|files\/|exports\/|recipients\/|opt-in\/|assets\/|favicon\.ico$|(?:proof-of-work|f[^/]*)\.js$)/;

/** Pages before sign-in; all others need a session, and changes come from such a page. */
const PAGES_BEFORE_SIGN_IN = /^\/(?:sign-in(?:\/link)?|setup|invitation)\/?$/;

/** Where a provider sends a browser back to: without what it gave along, it is refused. */
const CALLBACK = '/sign-in/oidc/callback';

describe('Default deny', () => {
  it('Pages ask for a session, and refuse what no page of ours sent', async () => {
    const pages = routesOf(service().app).filter(({ path }) => isPage(path));

    expect(pages.length).toBeGreaterThan(10);
    for (const { method, path } of pages) {
      const { status } = await service().as(secret).send(method, path);
      const isRefused = method !== 'get' || path === CALLBACK;
      const open = PAGES_BEFORE_SIGN_IN.test(path) ? 200 : 303;
      expect({ method, path, status }).toEqual({ method, path, status: isRefused ? 403 : open });
    }
  });

  it('Without a token every route answers 401 but those made for everyone (A-05, A-09)', async () => {
    const routes = routesOf(service().app);
    const guarded = routes.filter(({ path }) => !FOR_EVERYONE.test(path) && !isForSessions(path) && !isPage(path));

    expect(guarded.length).toBeGreaterThan(20);
    for (const { method, path } of guarded) {
      const answer = await service().anonymous().send(method, path);
      expect({ method, path, status: answer.status }).toEqual({ method, path, status: 401 });
      refusal(401, 'authentication_required')(answer);
    }
  });

  it('Routes for who is signed in take no token, and nothing that no page of ours sent', async () => {
    const routes = routesOf(service().app).filter(({ path }) => isForSessions(path));

    expect(routes.length).toBeGreaterThan(0);
    for (const { method, path } of routes) {
      const { status } = await service().as(secret).send(method, path);
      expect({ method, path, status }).toEqual({ method, path, status: method === 'get' ? 401 : 403 });
    }
  });

  it('Health and documentation are open', async () => {
    for (const path of ['/health/live', '/health/ready', '/api/openapi.json', '/docs', '/docs.md', '/llms.txt']) {
      const { status } = await service().anonymous().get(path);
      expect({ path, status: status === 301 ? 200 : status }).toEqual({ path, status: 200 });
    }
  });
});

describe('The token is read from the Authorization header alone (A-04)', () => {
  it('not from the query, the body or a cookie', async () => {
    const stranger = service().anonymous();
    const form = { name: 'x' };
    const refused = refusal(401, 'authentication_required');

    await stranger.get(`${FORMS}?access_token=${secret}`).expect(refused);
    await stranger.post(FORMS, { form, access_token: secret }).expect(refused);
    await stranger.post('/api/v1/clients').type('form').send(`access_token=${secret}`).expect(refused);
    await stranger.get(FORMS).set('Cookie', `access_token=${secret}`).expect(refused);
    await stranger.get(FORMS).set('X-Access-Token', secret).expect(refused);
    await owner.get(FORMS).expect(200, { forms: [] });
  });

  it.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('under the scheme %s', async (scheme) => {
    await service().anonymous().get(FORMS).set('Authorization', `${scheme} ${secret}`).expect(200);
  });
});

describe('The challenge (A-05)', () => {
  const realm = 'Bearer realm="Form Collection Service"';
  const invalidRequest = `${realm}, error="invalid_request"`;
  const invalidToken = `${realm}, error="invalid_token"`;

  it.each([
    ['Bearer a b', 400, 'malformed_credentials', invalidRequest],
    ['Bearer', 400, 'malformed_credentials', invalidRequest],
    ['Basic dXNlcjpwYXNzd29yZA==', 401, 'authentication_required', realm],
    ['', 401, 'authentication_required', realm],
    ['Bearer unknown', 401, 'invalid_token', invalidToken],
    ['Bearer fcs_mistyped', 401, 'invalid_token', invalidToken],
    ['Bearer "quoted"', 401, 'invalid_token', invalidToken],
    [`Bearer fcs_${'0'.repeat(36)}`, 401, 'invalid_token', invalidToken],
    [`Bearer ${'a'.repeat(255)}`, 401, 'invalid_token', invalidToken],
  ])('answers "%s" with %i', async (authorization, status, code, challenge) => {
    for (const method of ['get', 'post'] as const) {
      const stranger = service().anonymous();
      await stranger[method](FORMS)
        .set('Authorization', authorization)
        .expect(refusal(status, code))
        .expect('WWW-Authenticate', challenge);
    }
  });

  it('comes bare without any credentials', async () => {
    await service()
      .anonymous()
      .get(FORMS)
      .expect(refusal(401, 'authentication_required'))
      .expect('WWW-Authenticate', realm);
  });

  it('answers two Authorization headers with 400, even when both are right', async () => {
    const header = `Authorization: Bearer ${secret}`;
    const answer = await sendRaw([`GET ${FORMS} HTTP/1.1`, header, header.toLowerCase()]);

    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain(`WWW-Authenticate: ${invalidRequest}`);
    expect(answer).toContain('application/problem+json');
  });

  it('answers a token of 64 kB with 431, and goes on serving', async () => {
    const header = `Authorization: Bearer ${'a'.repeat(65_536)}`;

    expect(await sendRaw([`GET ${FORMS} HTTP/1.1`, header])).toMatch(/^HTTP\/1\.1 431 /);
    await owner.get(FORMS).expect(200);
  });
});

describe('A stolen database or a guess (A-03)', () => {
  it('A token with one character mistyped is refused a thousand times without a query', async () => {
    const { app } = service();
    const sources = [app.get(DataSource), app.get(ReadManager).manager.dataSource];
    const spies = [...new Set(sources)].map(({ logger }) => jest.spyOn(logger, 'logQuery'));
    const queries = () => spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
    await owner.get('/api/v1/me').expect(200);
    expect(queries()).toBeGreaterThan(0);
    await untilQuiet(queries);
    const before = queries();

    const guess = async (n: number) => {
      const at = 4 + (n % (secret.length - 4));
      const others = BASE62.replace(secret.charAt(at), '');
      const mistyped = secret.slice(0, at) + others.charAt(n % others.length) + secret.slice(at + 1);
      await service().as(mistyped).get(FORMS).expect(401);
    };
    for (let n = 0; n < 1000; n += 20) {
      await Promise.all(Array.from({ length: 20 }, (_, i) => guess(n + i)));
    }

    expect(queries()).toBe(before);
    spies.forEach((spy) => {
      spy.mockRestore();
    });
  });

  it('No table and no log holds the text of a token', async () => {
    const issued = await owner.makeToken();
    const secrets = [secret, issued.token, await owner.makeClientToken(await owner.makeClient())];
    for (const each of secrets) await service().as(each).get(FORMS).expect(200);

    const { manager } = service().app.get(DataSource);
    let dump = '';
    for (const { tableName } of manager.dataSource.entityMetadatas) {
      dump += JSON.stringify(await manager.query(`SELECT * FROM ${tableName}`), (_, value: unknown) =>
        isBytes(value) ? Buffer.from(value.data).toString('latin1') : value,
      );
    }

    expect(dump).toContain('First token');
    for (const each of secrets) {
      expect(dump).not.toContain(each);
      expect(dump).not.toContain(each.slice(4, 34));
      expect(service().log).not.toContain(each);
    }
  });

  const isBytes = (value: unknown): value is { data: number[] } =>
    typeof value === 'object' && value !== null && 'data' in value;

  /** Waits until the last use of a token is stored, which happens in the background. */
  async function untilQuiet(queries: () => number): Promise<void> {
    for (let last = -1; last !== queries();) {
      last = queries();
      for (let i = 0; i < 5; i++) await service().anonymous().get('/health/live').expect(200);
    }
  }
});
