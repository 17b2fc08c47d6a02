import type { Browser } from '../support/people.js';
import { RawClient } from '../support/raw-client.js';
import { isForSessions, isPage, routesOf } from '../support/routes.js';
import { useService, useOwner, type Caller } from '../support/service.js';

const FORMS = '/api/v1/forms';
const TOKENS = '/api/v1/tokens';
const MIB = 1024 * 1024;
/** Bodies of the largest size that one token, person or client, and one account may send at once. */
const HOLDERS_BODIES = 8;
const ACCOUNTS_BODIES = 32;
/** Bodies that one network may send at once before sign-in. */
const NETWORKS_BODIES = 64;

const service = useService();
const owner = useOwner(service);

/** A client of the owner that acts for itself. */
async function makeActor() {
  const id = await owner.makeClient();
  return { id, client: service().as(await owner.makeClientToken(id)) };
}

/** Signs an owner of the account in. */
const signIn = async (): Promise<Browser> => service().makeBrowser(owner);

const open = () => RawClient.to(service().url);
const bearer = ({ secret }: Caller) => [`Authorization: Bearer ${String(secret)}`];

/** The head of a request whose body does not come. */
function head(method: string, path: string, headers: string[], length = MIB): string {
  const lines = [`${method.toUpperCase()} ${path} HTTP/1.1`, 'Host: x', ...headers];
  return [...lines, `Content-Length: ${length}`, '', ''].join('\r\n');
}

const FORM_TYPE = 'Content-Type: application/x-www-form-urlencoded';
const JSON_TYPE = 'Content-Type: application/json';
const API = /^\/api\/v\d/;

/** Returns the answer to a request whose body does not arrive. */
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
    const { token } = await owner.makeToken({ rights: ['forms:read'] });
    const reader = bearer(service().as(token));
    for (const [status, method, path, headers] of [
      [403, 'post', FORMS, reader],
      [404, 'post', '/nope', bearer(owner)],
      [404, 'post', '/api/v1/nope', []],
      [405, 'patch', FORMS, bearer(owner)],
      [404, 'get', '/f/x', []],
      [200, 'get', '/health/live', []],
    ] as const) {
      const answer = await answerTo(head(method, path, [...headers, JSON_TYPE]));
      expect({ path, answer: answer.slice(0, 12) }).toEqual({ path, answer: `HTTP/1.1 ${status}` });
    }
  });
});

describe('Bodies under way', () => {
  /** Begins to send the largest body, chunked or with its length. */
  async function begin(caller: Caller, bytes = 2, chunked = false): Promise<RawClient> {
    const client = await open();
    const length = chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${MIB}`;
    const text = '{"'.padEnd(bytes);
    const lines = [`POST ${TOKENS} HTTP/1.1`, 'Host: x', JSON_TYPE, length, ...bearer(caller), ''];
    client.write([...lines, chunked ? `${bytes.toString(16)}\r\n${text}\r\n` : text].join('\r\n'));
    return client;
  }

  const ALMOST = MIB - 1024;
  const abort = (clients: RawClient[]) => Promise.all(clients.map((client) => client.abort()));
  const answered = (clients: RawClient[]) => Promise.any(clients.map((client) => client.until(/\r\n\r\n.*}$/s)));
  const answers = (clients: RawClient[]) => clients.map(({ received }) => received).join('');

  it('take nothing from others before their bytes have come', async () => {
    const { client } = await makeActor();
    const clients = await Promise.all(
      Array.from({ length: 2 * ACCOUNTS_BODIES }, (_, i) => begin(client, 2, i % 2 === 0)),
    );
    const browser = await signIn();

    await owner.post(FORMS, { form: { name: 'x' } }).expect(201);
    await client.post(TOKENS, { token: { name: 'x' } }).expect(201);
    expect((await browser.post('/forms', { 'form.name': 'x' })).status).toBe(303);
    expect(answers(clients)).toBe('');
    await abort(clients);
  });

  it.each([false, true])(
    'of a client, by however many tokens, leave the most to its account (chunked: %s)',
    async (chunked) => {
      const { id, client } = await makeActor();
      const another = service().as(await owner.makeClientToken(id));
      const clients = await Promise.all(
        Array.from({ length: HOLDERS_BODIES + 1 }, (_, i) => begin(i % 2 ? client : another, ALMOST, chunked)),
      );
      await answered(clients);
      expect(answers(clients)).toMatch(/ 429 [^]*too_many_at_once/);
      const browser = await signIn();

      await owner.post(FORMS, { form: { name: 'x' } }).expect(201);
      expect((await browser.post('/forms', { 'form.name': 'x' })).status).toBe(303);
      await abort(clients);
    },
  );
});

describe('Forms before sign-in', () => {
  /** Begins to sign in from a network, and sends a byte of the form. */
  async function begin(network: number): Promise<RawClient> {
    const client = await RawClient.to(service().url, `127.0.0.${network}`);
    const headers = ['Sec-Fetch-Site: same-origin', FORM_TYPE];
    client.write(`${head('POST', '/sign-in', headers, 16 * 1024)}a`);
    return client;
  }

  it('of many networks at once lock nobody else out', async () => {
    const clients = await Promise.all(
      Array.from({ length: 1100 }, (_, i) => begin(2 + Math.floor(i / NETWORKS_BODIES))),
    );
    expect(await signIn()).toBeDefined();
    await Promise.all(clients.map((client) => client.abort()));
  });

  it('of one network are only so many, and each has little time', async () => {
    const clients = await Promise.all(Array.from({ length: NETWORKS_BODIES }, () => begin(2)));
    await owner.get(FORMS).expect(200);
    expect(clients.map(({ received }) => received).join('')).toBe('');
    const refused = await begin(2);
    await refused.until(/HTTP\/1.1 429 /);
    expect(await signIn()).toBeDefined();

    for (const each of clients) expect(await each.closed).toMatch(/^HTTP\/1.1 408 /);
    await refused.abort();
    const again = await begin(2);
    await owner.get(FORMS).expect(200);
    expect(again.received).toBe('');
    await again.abort();
  });
});
