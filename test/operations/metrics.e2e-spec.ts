import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createTables, type TestDatabase } from '../support/database.js';
import { parseExposition, type Exposition } from '../support/exposition.js';
import { onServer } from '../support/database-matrix.js';
import { freePort } from '../support/program.js';
import { Service } from '../support/service.js';
import { Inbox, urlencoded } from '../support/submit.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { answers, WebhookReceiver } from '../support/webhook-receiver.js';

const METRICS_TOKEN = 'metrics-token-of-the-tests';
const SENT = urlencoded([['a', '1']]);

let database: TestDatabase;
let service: Service;
let others: Service[];
let link: TcpProxy | undefined;
beforeAll(async () => {
  database = await createTables();
  service = await Service.start({
    ...database.settings,
    METRICS_TOKEN,
    WORKERS: 'off',
    MAX_FIELDS: '2',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32',
  });
});
afterAll(async () => {
  await service.close();
  await database.drop();
});
beforeEach(() => {
  others = [];
  link = undefined;
});
afterEach(async () => {
  for (const each of others) await each.close();
  await link?.cut();
});

/** Another instance on the same database. @returns where it is */
async function startBeside(settings: Record<string, string>): Promise<string> {
  const other = await Service.start({ ...database.settings, WORKERS: 'off', ...settings });
  others.push(other);
  return other.url;
}

async function scrape(url = service.url, token: string | null = METRICS_TOKEN) {
  const headers = new Headers(token === null ? {} : { Authorization: `Bearer ${token}` });
  const response = await fetch(`${url}/metrics`, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function read(url?: string): Promise<Exposition> {
  const { status, text } = await scrape(url);
  expect(status).toBe(200);
  return parseExposition(text);
}

/** By how much each series grew while something was done; those that did not are left out. */
async function growth(action: () => Promise<unknown>, name: RegExp): Promise<Record<string, number>> {
  const { values: before } = await read();
  await action();
  const grown = [...(await read()).values].map(([series, value]): [string, number] => [
    series,
    value - (before.get(series) ?? 0),
  ]);
  return Object.fromEntries(grown.filter(([series, by]) => name.test(series) && by !== 0));
}

describe('Metrics', () => {
  it('count what became of every submission', async () => {
    const inbox = await Inbox.open(service);
    const keyed = { ...SENT, headers: { 'Idempotency-Key': 'k' } };
    const grown = await growth(async () => {
      for (let i = 0; i < 3; i++) await inbox.accept(SENT);
      for (let i = 0; i < 3; i++) await inbox.accept(keyed);
      await inbox.accept(urlencoded([['_gotcha', 'x']]));
      await inbox.submit(urlencoded([]));
      await inbox.submit(urlencoded([['a', '1'], ['b', '2'], ['c', '3']])); // oxfmt-ignore
      await fetch(`${service.url}/f/0123456789abcdef`, { method: 'POST', body: 'a=1' });
    }, /^fcs_(submissions_total|batch_submissions_(sum|count)|commit_duration_seconds_count)/);

    expect(grown).toEqual({
      'fcs_submissions_total{outcome="stored",reason=""}': 4,
      'fcs_submissions_total{outcome="replayed",reason=""}': 2,
      'fcs_submissions_total{outcome="spam",reason=""}': 1,
      'fcs_submissions_total{outcome="refused",reason="empty"}': 1,
      'fcs_submissions_total{outcome="refused",reason="too_many_fields"}': 1,
      'fcs_submissions_total{outcome="refused",reason="form_not_found"}': 1,
      fcs_batch_submissions_sum: 5,
      fcs_batch_submissions_count: 5,
      fcs_commit_duration_seconds_count: 5,
    });
  });

  it('time requests by method, route and class of status', async () => {
    const inbox = await Inbox.open(service);
    const grown = await growth(async () => {
      await inbox.accept(SENT);
      await inbox.submit(urlencoded([]));
      await inbox.count();
      await inbox.count();
      await fetch(`${service.url}/api/v1/forms`);
    }, /^fcs_http_request_duration_seconds_count/);

    const series = (method: string, route: string, status: string) =>
      `fcs_http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`;
    expect(grown).toEqual({
      [series('POST', '/f/:identifier', '2xx')]: 1,
      [series('POST', '/f/:identifier', '4xx')]: 1,
      [series('GET', '/api/v1/forms/:identifier', '2xx')]: 2,
      [series('GET', '/api/v1/forms', '4xx')]: 1,
      [series('GET', '/metrics', '2xx')]: 1,
    });
  });

  it('have no series more for addresses, identifiers and methods that nobody knows', async () => {
    const { url } = service;
    const visit = async (method: string) => {
      const word = randomBytes(8).toString('hex');
      await fetch(`${url}/${word}`);
      await fetch(`${url}/f/${word}`, { method: 'POST', body: `${word}=1` });
      await fetch(`${url}/f/${word}`, { method: 'POST', body: 'x', headers: { Accept: word } });
      await fetch(`${url}/api/v1/forms/${word}?${word}=1`);
      await fetch(`${url}/${word}`, { method });
    };
    await visit('PROPFIND');
    const before = await read();
    for (const method of ['MKCALENDAR', 'REPORT', 'PURGE']) await visit(method);
    const after = await read();

    const own = ({ values }: Exposition) => [...values.keys()].filter((key) => key.startsWith('fcs_'));
    expect(own(after).sort()).toEqual(own(before).sort());
  });

  it('count attempts by result, and the outbox of all instances', async () => {
    const owner = await service.openAccount();
    const receiver = await WebhookReceiver.start();
    const settings = { webhook_url: receiver.url, notify_owner_on_submission: false };
    const form = await owner.makeForm(settings);
    const deliver = async (status: number) => {
      receiver.behaviour = answers(status);
      await service.anonymous().post(`/f/${form.identifier}`, { a: '1' }).expect(200);
      await service.sendDue();
    };
    const grown = await growth(async () => {
      await deliver(200);
      await deliver(410);
      await deliver(503);
    }, /^fcs_delivery_attempts_total/);
    const series = (outcome: string) => `fcs_delivery_attempts_total{kind="webhook",outcome="${outcome}"}`;
    expect(grown).toEqual({ [series('delivered')]: 1, [series('failed')]: 1, [series('deferred')]: 1 });

    await service.anonymous().post(`/f/${form.identifier}`, { a: '1' }).expect(200);
    const watcher = await startBeside({ METRICS_TOKEN });
    const { values } = await read(watcher);
    expect(values.get('fcs_deliveries_pending')).toBe(2); // the deferred one, and one not yet tried
    expect(values.get('fcs_deliveries_oldest_due_seconds')).toBeGreaterThan(0);
    expect(values.get('fcs_deliveries_oldest_due_seconds')).toBeLessThan(30);
    expect(values.get('fcs_database_up')).toBe(1);
    await receiver.close();
  });

  it('are named as Prometheus wants it: counts end in _total, the rest in a unit', async () => {
    const { types } = await read();

    const own = [...types].filter(([name]) => name.startsWith('fcs_'));
    expect(own.length).toBeGreaterThan(15);
    for (const [name, type] of own) {
      expect([name, type === 'counter']).toEqual([name, name.endsWith('_total')]);
    }
    for (const name of ['process_cpu_seconds_total', 'nodejs_eventloop_lag_p99_seconds']) {
      expect(types.has(name)).toBe(true);
    }
  });

  onServer('tell how the connections to the database are used, and when it is away', async () => {
    const { DATABASE_URL = '' } = database.settings;
    link = await TcpProxy.to(DATABASE_URL);
    const settings = { METRICS_TOKEN, DATABASE_URL: link.through(DATABASE_URL) };
    const watched = await startBeside(settings);

    await link.cut();
    const { values } = await read(watched);

    expect(values.has('fcs_deliveries_pending')).toBe(false);
    expect(Object.fromEntries(values)).toMatchObject({
      fcs_database_up: 0,
      'fcs_database_connections_in_use{pool="main"}': 0,
      'fcs_database_connections_waiting{pool="main"}': 0,
      'fcs_database_connections_max{pool="main"}': 10,
      'fcs_database_connections_max{pool="submissions"}': 1,
    });
  });
});

describe('Who may read metrics', () => {
  it('is who sends METRICS_TOKEN; a token of an account will not do', async () => {
    const { secret } = await service.openAccount();

    for (const token of [null, secret, `${METRICS_TOKEN}x`]) {
      const { status, headers, text } = await scrape(service.url, token);
      expect(status).toBe(401);
      expect(headers.get('WWW-Authenticate')).toMatch(/^Bearer /);
      expect(text).not.toContain('fcs_submissions_total');
    }
    const { status, headers } = await scrape();
    expect(status).toBe(200);
    expect(headers.get('Content-Type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(headers.get('Cache-Control')).toBe('no-store');
  });

  it('is nobody when neither METRICS_TOKEN nor METRICS_PORT is set', async () => {
    const closed = await startBeside({});

    expect((await scrape(closed)).status).toBe(404);
  });

  it.each([
    ['everyone', {}, null, []],
    ['who sends METRICS_TOKEN too', { METRICS_TOKEN }, METRICS_TOKEN, [null, `${METRICS_TOKEN}x`]],
  ])('at METRICS_PORT, where nothing else is, is %s', async (_, settings, token, wrong) => {
    const METRICS_PORT = await freePort();
    const open = await startBeside({ METRICS_PORT, ...settings });
    const there = `http://127.0.0.1:${METRICS_PORT}`;

    const { status, text } = await scrape(there, token);
    expect(status).toBe(200);
    expect(parseExposition(text).types.get('fcs_submissions_total')).toBe('counter');
    for (const each of wrong) expect((await scrape(there, each)).status).toBe(401);
    expect((await fetch(`${there}/health/live`)).status).toBe(404);
    expect((await fetch(`${there}/metrics`, { method: 'POST' })).status).toBe(405);
    expect((await scrape(open)).status).toBe(404);
  });
});

describe('Dashboard and alerts', () => {
  const folder = new URL('../../deploy/', import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });

  it('name no metric that is not there', async () => {
    const { types } = await read();
    const isThere = (word: string) =>
      types.has(word) || types.get(word.replace(/_(?:bucket|sum|count)$/, '')) === 'histogram';

    const named = files
      .filter((name) => /\.(?:json|yml)$/.test(name))
      .map((name) => readFileSync(new URL(name, folder), 'utf8'))
      .flatMap((text) => text.match(/\b(?:fcs|process|nodejs)_[a-z0-9_]+/g) ?? []);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((word) => !isThere(word))).toEqual([]);
  });
});
