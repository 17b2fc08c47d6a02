import { beforeEach, describe, expect, it } from '@jest/globals';
import { makeToken } from './support/make.js';
import { RawClient } from './support/raw-client.js';
import { isForSessions, isPage, routesOf } from './support/routes.js';
import { useService, type Caller } from './support/service.js';

const FORMS = '/api/v1/forms';
const MIB = 1024 * 1024;
/** Bodies of the largest size that one account may send at once, and that all may. */
const ONE_ACCOUNTS = 16;
const EVERYBODYS = 64;

const service = useService();
let owner: Caller;
beforeEach(async () => {
  owner = await service().openAccount();
});

const open = () => RawClient.to(service().url);
const bearer = ({ secret }: Caller) => [`Authorization: Bearer ${String(secret)}`];

/** The head of a request whose body does not come. */
function head(method: string, path: string, headers: string[], length = MIB): string {
  const lines = [`${method.toUpperCase()} ${path} HTTP/1.1`, 'Host: x', ...headers];
  return [...lines, `Content-Length: ${length}`, '', ''].join('\r\n');
}

const JSON_TYPE = 'Content-Type: application/json';
const API = /^\/api\/v\d/;

/** What a request is answered whose body does not come. */
async function answerTo(text: string): Promise<string> {
  const client = await open();
  client.write(text);
  await client.until(/\r\n\r\n/);
  const { received } = client;
  await client.abort();
  return received;
}

describe('A body is read for those alone who may send it', () => {
  it('so a stranger is refused on every route before it is sent, of whatever type', async () => {
    const routes = routesOf(service().app).filter(({ path }) => API.test(path));
    expect(routes.length).toBeGreaterThan(20);
    const strangers: [string, string[]][] = [
      ['401', []],
      ['401', ['Authorization: Bearer mistyped']],
      ['400', ['Authorization: Bearer a b']],
    ];
    for (const { method, path } of routes) {
      for (const [status, credentials] of strangers) {
        for (const type of [JSON_TYPE, 'Content-Type: text/plain', 'X-None: none']) {
          const answer = await answerTo(head(method, path, [...credentials, type]));
          // Whatever the token, what no page of ours sent is refused where a session is asked for.
          const forSessions = method === 'get' ? '401' : '403';
          expect({ method, path, type, answer: answer.slice(0, 12) }).toEqual({
            method,
            path,
            type,
            answer: `HTTP/1.1 ${isForSessions(path) ? forSessions : status}`,
          });
        }
      }
    }
  });

  it('so a stranger is answered by every page before it is sent, wherever it comes from', async () => {
    const pages = routesOf(service().app).filter(({ path }) => isPage(path));
    expect(pages.length).toBeGreaterThan(10);
    const types = ['application/x-www-form-urlencoded', 'application/json', 'text/plain'];
    for (const { method, path } of pages) {
      for (const type of types.map((each) => `Content-Type: ${each}`)) {
        const foreign = await answerTo(head(method, path, [type, 'Authorization: Bearer a b']));
        const own = await answerTo(head(method, path, [type, 'Sec-Fetch-Site: same-origin']));
        const answers = [foreign, own].map((answer) => answer.slice(9, 12));
        expect({ method, path, type, answers }).toEqual({
          method,
          path,
          type,
          answers:
            method === 'get'
              ? [expect.stringMatching(/200|303|4../), expect.stringMatching(/200|303|4../)]
              : ['403', expect.stringMatching(/303|413|415/)],
        });
      }
    }
  });

  it('nor is it where the right is missing or nothing takes it', async () => {
    const { token } = await makeToken(owner, { rights: ['forms:read'] });
    const reader = bearer(service().as(token));
    for (const [status, method, path, headers] of [
      [403, 'post', FORMS, reader],
      [404, 'post', '/nope', bearer(owner)],
      [404, 'post', '/api/v1/nope', []],
      [405, 'put', FORMS, bearer(owner)],
      [404, 'get', '/f/x', []],
      [200, 'get', '/health/live', []],
    ] as const) {
      const answer = await answerTo(head(method, path, [...headers, JSON_TYPE]));
      expect({ path, answer: answer.slice(0, 12) }).toEqual({ path, answer: `HTTP/1.1 ${status}` });
    }
  });
});

describe('Bodies under way', () => {
  /** Begins to send the largest body, chunked or with its length, and says whether it is waited for. */
  async function begin(caller: Caller, chunked = false): Promise<RawClient> {
    const client = await open();
    const length = chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${MIB}`;
    const lines = [`POST ${FORMS} HTTP/1.1`, 'Host: x', JSON_TYPE, length, ...bearer(caller)];
    await client.flush([...lines, '', chunked ? '2\r\n{"\r\n' : '{"'].join('\r\n'));
    return client;
  }

  /** Resolves once the server has seen all that was sent before. */
  const settled = () => owner.get(FORMS).expect(200);

  it('of one account are only so many bytes, however they are sent', async () => {
    const other = await service().openAccount();
    const clients: RawClient[] = [];
    for (let i = 0; i < ONE_ACCOUNTS; i++) clients.push(await begin(owner, i % 2 === 0));
    await settled();
    expect(clients.map(({ received }) => received).join('')).toBe('');

    const refused = await owner.post(FORMS, { form: { name: 'x' } }).expect(429);
    expect(refused.body).toMatchObject({ type: expect.stringMatching(/:too_many_at_once$/) });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    await other.post(FORMS, { form: { name: 'x' } }).expect(201);

    for (const client of clients) await client.abort();
    await settled();
    await owner.post(FORMS, { form: { name: 'x' } }).expect(201);
  });

  it('of everybody are only so many bytes', async () => {
    const clients: RawClient[] = [];
    for (let i = 0; i < EVERYBODYS / ONE_ACCOUNTS; i++) {
      const caller = await service().openAccount();
      for (let j = 0; j < ONE_ACCOUNTS; j++) clients.push(await begin(caller));
    }
    await settled();

    const refused = await owner.post(FORMS, { form: { name: 'x' } }).expect(503);
    expect(refused.body).toMatchObject({ type: expect.stringMatching(/:overloaded$/) });

    for (const client of clients) await client.abort();
    await settled();
    await owner.post(FORMS, { form: { name: 'x' } }).expect(201);
  });
});
