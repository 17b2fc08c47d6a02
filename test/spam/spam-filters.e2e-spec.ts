import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DoctorService } from '../../src/operations/doctor/doctor.service.js';
import { createTables, type TestDatabase } from '../support/database.js';
import { Service } from '../support/service.js';
import { Inbox, urlencoded } from '../support/submit.js';

const KEY = '12ab3456cd78';
/** Author that Akismet always treats as spam. */
const GUARANTEED = 'akismet-guaranteed-spam';
const SYMBOLS = {
  ...{ BAYES_SPAM: { name: 'BAYES_SPAM', score: 5.1 }, PH_SURBL: { name: 'PH_SURBL', score: 6 } },
  MIME_GOOD: { name: 'MIME_GOOD', score: -0.1 },
};

/** A call of a filter. */
interface Call {
  path: string;
  headers: Record<string, unknown>;
  body: string;
}
type Answer = (call: Call, response: ServerResponse) => void;

let calls: Call[] = [];
let answer: Answer;
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString();
    const call = { path: String(request.url), headers: request.headers, body };
    calls.push(call);
    answer(call, response);
  });
});

/** Answers as rspamd and Akismet do; both find spam in what has the words for it. */
const asTheyDo: Answer = ({ path, body }, response) => {
  if (path === '/ping') return response.end('pong\r\n');
  if (path === '/checkv2') {
    const isSpam = body.includes('cheap pills');
    const verdict = isSpam
      ? { action: 'add header', score: 11.03, required_score: 15, symbols: SYMBOLS }
      : { action: 'no action', score: 0.2, required_score: 15, symbols: {} };
    return response.end(JSON.stringify({ is_skipped: false, ...verdict }));
  }
  const sent = new URLSearchParams(body);
  const hasKey = sent.get('api_key') === KEY && sent.get('blog') !== null;
  if (path === '/1.1/verify-key') return response.end(hasKey ? 'valid' : 'invalid');
  if (path !== '/1.1/comment-check') return response.writeHead(404).end();
  if (!hasKey || !sent.get('user_ip')) {
    return response.writeHead(200, { 'X-akismet-debug-help': 'Empty "user_ip" value' }).end('invalid');
  }
  const isSpam = sent.get('comment_author') === GUARANTEED;
  const certain = sent.get('comment_content')?.includes('pills') === true;
  response.writeHead(200, isSpam && certain ? { 'X-akismet-pro-tip': 'discard' } : {});
  return response.end(String(isSpam));
};

let database: TestDatabase;
let service: Service;
let inbox: Inbox;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  database = await createTables();
  const filters = { RSPAMD_URL: `${url}/`, AKISMET_URL: url, AKISMET_KEY: KEY };
  service = await Service.start({ ...database.settings, WORKERS: 'off', ...filters });
});
afterAll(async () => {
  await service.close();
  server.closeAllConnections();
  server.close();
  await database.drop();
});
beforeEach(async () => {
  inbox = await Inbox.open(service);
  calls = [];
  answer = asTheyDo;
});

const path = () => `/api/v1/forms/${inbox.form.identifier}` as const;
const enable = (...names: string[]) =>
  inbox.owner
    .put(`${path()}/spam`, { spam: { signals: Object.fromEntries(names.map((name) => [name, { enabled: true }])) } })
    .expect(200);

async function judged(message: string, name = 'Ann'): Promise<{ verdict: string; parts: unknown[] }> {
  const sent = { name, email: 'ann@exämple.com', message };
  const id = await inbox.accept(urlencoded(Object.entries(sent)));
  return await inbox.owner.read(`${path()}/submissions/${id}/verdict`);
}

const finding = async () => {
  const findings = await service.app.get(DoctorService).examine();
  return findings.find(({ name }) => name === 'spam filters');
};

describe('A spam filter outside', () => {
  it('is asked only by forms that say so', async () => {
    expect(await judged('cheap pills', GUARANTEED)).toMatchObject({ parts: [] });
    expect(calls).toEqual([]);
  });

  it('says what it found: rspamd its points and symbols, as of a mail', async () => {
    await enable('rspamd');
    const reason = 'Rspamd gives it 11.0 of 15.0 points: PH_SURBL, BAYES_SPAM.';
    expect(await judged('Buy cheap pills\r\n.\r\nBcc: x@y.test')).toMatchObject({
      verdict: 'held',
      parts: [{ name: 'rspamd', points: 6, reason }],
    });
    const [{ path: asked, headers, body } = { path: '', headers: {}, body: '' }] = calls;
    expect(asked).toBe('/checkv2');
    expect(headers).toMatchObject({ ip: '127.0.0.1', from: 'anonymous@form.invalid' });
    expect(JSON.parse(String(headers.settings))).toMatchObject({
      groups_disabled: expect.arrayContaining(['spf', 'dkim', 'dmarc', 'hfilter']),
    });
    const [head = ''] = body.split('\r\n\r\n');
    expect(head).toMatch(/^From: ann@xn--exmple-cua.com$/m);
    expect(head).toMatch(/^Subject: Ann$/m);
    expect(head).not.toMatch(/^Bcc:/m);
    expect(await judged('A cake, please')).toMatchObject({ verdict: 'clean', parts: [] });
  });

  it('says what it found: Akismet that it is spam, and twice as much when it is certain', async () => {
    await enable('akismet');
    expect(await judged('A cake, please')).toMatchObject({ verdict: 'clean', parts: [] });
    const found = { name: 'akismet', points: 6, reason: 'Akismet says that it is spam.' };
    expect(await judged('A cake', GUARANTEED)).toMatchObject({ verdict: 'held', parts: [found] });
    const certain = { points: 12, reason: 'Akismet is certain that it is spam.' };
    expect(await judged('pills', GUARANTEED)).toMatchObject({ verdict: 'spam', parts: [certain] });
    const sent = Object.fromEntries(new URLSearchParams(calls.at(-1)?.body));
    expect(sent).toMatchObject({
      ...{ api_key: KEY, blog: service.config.baseUrl, user_ip: '127.0.0.1' },
      ...{ comment_type: 'contact-form', comment_author: GUARANTEED, comment_content: 'pills' },
      comment_author_email: 'ann@exämple.com',
    });
    expect(calls.at(-1)?.path).toBe('/1.1/comment-check'); // the key is in no address
  });

  const redirect: Answer = (_, response) => response.writeHead(302, { Location: '/ping' }).end();
  const endless: Answer = (_, response) => response.end('x'.repeat(1_000_000));
  it.each<[string, Answer]>([
    ['refuses', (_, response) => response.writeHead(500).end('true')],
    ['answers with a page', (_, response) => response.end('<html>true</html>')],
    ['answers with nothing', (_, response) => response.end()],
    ['answers with null', (_, response) => response.end('null')],
    ['skips it', (_, response) => response.end('{"is_skipped":true,"action":"reject"}')],
    ['leads elsewhere', redirect],
    ['answers without end', endless],
    ['breaks off', (_, response) => response.destroy()],
  ])('that %s says nothing, and the submission is stored', async (_, wrong) => {
    await enable('rspamd', 'akismet');
    answer = wrong;
    expect(await judged('cheap pills', GUARANTEED)).toEqual({ verdict: 'clean', score: 0, parts: [] });
    expect(calls).toHaveLength(2);
  });

  it('that does not answer keeps the visitor waiting for no longer than is allowed', async () => {
    await enable('rspamd', 'akismet');
    answer = () => undefined;
    expect(await judged('cheap pills', GUARANTEED)).toMatchObject({ verdict: 'clean' });
  });

  it('that cannot be asked is what the doctor names', async () => {
    expect(await finding()).toMatchObject({ state: 'ok', detail: 'rspamd and akismet can be reached.' });
    answer = (call, response) => {
      if (call.path === '/ping') response.writeHead(503).end();
      else response.end('invalid');
    };
    const { state, detail } = (await finding()) ?? {};
    expect(state).toBe('failed');
    expect(detail).toContain('It answers with status 503.');
    expect(detail).toContain('It rejects the key.');
    expect(detail).not.toContain(KEY);
  });
});
