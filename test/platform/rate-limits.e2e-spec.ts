import { createTables } from '../support/database.js';
import { DAY_MS, useWindows } from '../support/clock.js';
import { onServer } from '../support/database-matrix.js';
import { RawClient, requestText } from '../support/raw-client.js';
import { refusal } from '../support/refusal.js';
import { Service, useService, type Caller } from '../support/service.js';
import { Inbox, send, urlencoded, type Answer, type Sent } from '../support/submit.js';
import { until } from '../support/until.js';

const OF_ADDRESS = 6;
const OF_FORM = 9;
const OF_TOKEN = 12;
const FAILURES = 300;
/** Quota of two instances together. */
const QUOTA = 20;
const ONE = urlencoded([['a', '1']]);

const clock = useWindows();

let addresses = 0;
/** An address that nobody has asked from. */
const newAddress = () => `198.51.100.${++addresses}`;
const from = (address: string, sent: Sent = ONE): Sent => ({
  ...sent,
  headers: { ...sent.headers, 'X-Forwarded-For': address },
});

/** The members of a RateLimit header: its name, what is left, and the seconds until it is new. */
function limitOf({ headers }: Pick<Answer, 'headers'>) {
  const [, name, left, seconds] = /^"(\w+)";r=(\d+);t=(\d+)$/.exec(headers.get('RateLimit') ?? '') as unknown as [
    string,
    string,
    string,
    string,
  ];
  expect(Number(seconds)).toBeGreaterThan(0);
  expect(Number(seconds)).toBeLessThanOrEqual(60);
  return { name, left: Number(left), seconds };
}

describe('One instance', () => {
  const service = useService({
    RATE_LIMIT_ADDRESS: String(OF_ADDRESS),
    RATE_LIMIT_FORM: String(OF_FORM),
    RATE_LIMIT_TOKEN: String(OF_TOKEN),
    RATE_LIMIT_FAILURES: String(FAILURES),
    BOUNCE_TOKEN: 'a-token-for-reports-of-bounces',
    METRICS_TOKEN: 'a-token-that-reads-metrics',
    TRUST_PROXY: '1',
  });
  let inbox: Inbox;

  beforeEach(async () => {
    inbox = await Inbox.open(service());
  });

  async function submitTimes(count: number, sent: Sent): Promise<Answer[]> {
    const answers = [];
    for (let i = 0; i < count; i++) answers.push(await inbox.submit(sent));
    return answers;
  }

  describe('An address (S-11)', () => {
    it('sees in each answer how much it may send', async () => {
      const answers = await submitTimes(3, from(newAddress()));

      expect(answers.map((answer) => limitOf(answer).left)).toEqual([5, 4, 3]);
      expect(answers[0]?.headers.get('RateLimit-Policy')).toBe('"address";q=6;w=60');
      const exposed = answers[0]?.headers.get('Access-Control-Expose-Headers') ?? '';
      expect(exposed.split(', ')).toEqual(expect.arrayContaining(['RateLimit', 'RateLimit-Policy', 'Retry-After']));
    });

    it('gets 429 after that, and nothing more is stored until the next window', async () => {
      const address = newAddress();
      await submitTimes(OF_ADDRESS, from(address));
      const [refused] = (await submitTimes(2, from(address))) as [Answer, Answer];

      expect(refused.status).toBe(429);
      expect(refused.body).toMatchObject({ success: false, errors: [{ code: 'RATE_LIMITED' }] });
      const { left, seconds } = limitOf(refused);
      expect(left).toBe(0);
      expect(refused.headers.get('Retry-After')).toBe(seconds);
      expect(await inbox.count()).toBe(OF_ADDRESS);
      expect((await inbox.submit(from(newAddress()))).status).toBe(200);

      clock.nextWindow();
      expect((await inbox.submit(from(address))).status).toBe(200);
    });

    it('waits for its refusals once it got many in a moment', async () => {
      const address = newAddress();
      await submitTimes(OF_ADDRESS, from(address));

      let answered = 0;
      const flood = Array.from({ length: 20 }, async () => {
        expect((await inbox.submit(from(address))).status).toBe(429);
        answered++;
      });
      expect((await inbox.submit(from(newAddress()))).status).toBe(200);
      expect(answered).toBeLessThan(20);
      await Promise.all(flood);
    });

    it('is refused before its body is sent', async () => {
      const address = newAddress();
      await submitTimes(OF_ADDRESS, from(address));
      const client = await RawClient.to(service().url);
      const headers = ['Content-Length: 10', `X-Forwarded-For: ${address}`];
      client.write(requestText(`/f/${inbox.form.identifier}`, headers));
      await client.until(/^HTTP\/1\.1 429 /);
      await client.abort();
    });

    it('is counted for what is refused, repeated or spam as for anything else', async () => {
      const address = newAddress();
      const again = { ...ONE, headers: { 'Idempotency-Key': 'k' } };
      const sent = [again, again, urlencoded([]), urlencoded([['_gotcha', 'x']]), { body: 'x' }];
      for (const each of sent) await inbox.submit(from(address, each));
      await send(`${service().url}/f/0123456789abcdef`, from(address));

      expect((await inbox.submit(from(address))).status).toBe(429);
    });

    it('may open only as many pages and links, together with what it sends', async () => {
      const address = newAddress();
      const { url } = service();
      const paths = [`/f/${inbox.form.identifier}`, `/f/${inbox.form.identifier}/thanks`, '/files/x'];
      const open = (path: string, accept = '*/*') =>
        send(url + path, { method: 'GET', headers: { 'X-Forwarded-For': address, Accept: accept } });

      const lefts = [];
      for (const path of [...paths, ...paths]) lefts.push(limitOf(await open(path)).left);
      expect(lefts).toEqual([5, 4, 3, 2, 1, 0]);
      for (const path of paths) {
        const answer = await open(path);
        expect(answer.body).toMatchObject({ status: 429, type: 'urn:form-collection-service:problem:rate_limited' });
        expect(answer.headers.get('Retry-After')).toBe(limitOf(answer).seconds);
      }
      const page = await open(paths[0] ?? '', 'text/html');
      expect(page.text).toMatch(/<p>Too many requests from your network\. Wait a moment/);
      expect(page.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
      expect(page.headers.get('Retry-After')).toMatch(/^\d+$/);
      expect((await inbox.submit(from(address))).status).toBe(429);
    });

    it('of IPv6 is its network, and what a client says of itself changes nothing (S-07)', async () => {
      const networks = [`2001:db8:0:${++addresses}`, `2001:db8:0:${++addresses}`];
      const answers = [];
      for (let i = 0; i < OF_ADDRESS + 3; i++) {
        answers.push(
          await inbox.submit({
            ...ONE,
            headers: {
              'X-Forwarded-For': `203.0.113.${i}, ${String(networks[0])}:${i.toString(16)}::1`,
              Forwarded: `for=203.0.113.${i}`,
              'X-Real-IP': `203.0.113.${i}`,
            },
          }),
        );
      }

      expect(answers.map(({ status }) => status)).toEqual([
        ...Array<number>(OF_ADDRESS).fill(200),
        ...Array<number>(3).fill(429),
      ]);
      expect((await inbox.submit(from(`${String(networks[1])}::1`))).status).toBe(200);
    });
  });

  it('A form takes only so many submissions from all addresses together (S-11)', async () => {
    const statuses = [];
    for (let i = 0; i < OF_FORM; i++) {
      const answer = await inbox.submit(from(newAddress()));
      statuses.push([answer.status, limitOf(answer).name]);
    }
    expect(statuses).toEqual(Array(OF_FORM).fill([200, 'address']));

    const refused = await inbox.submit(from(newAddress()));
    expect(refused.status).toBe(429);
    expect(refused.headers.get('RateLimit-Policy')).toBe('"form";q=9;w=60');
    expect(limitOf(refused)).toMatchObject({ name: 'form', left: 0 });
    const other = await Inbox.open(service());
    expect((await other.submit(from(newAddress()))).status).toBe(200);
  });

  it('A token may ask only so often; another one of the account is not affected', async () => {
    const { owner } = inbox;
    const other = await owner.makeToken();
    const ask = (caller: Caller) => caller.get('/api/v1/me');
    const used = 2;
    for (let i = used; i < OF_TOKEN; i++) {
      await ask(owner)
        .expect(200)
        .expect('RateLimit-Policy', '"token";q=12;w=60')
        .expect('RateLimit', new RegExp(`^"token";r=${OF_TOKEN - i - 1};t=\\d+$`));
    }

    await ask(owner)
      .expect(refusal(429, 'rate_limited'))
      .expect('Retry-After', /^[1-9]\d*$/)
      .expect('RateLimit', /^"token";r=0;/);
    await ask(service().as(other.token)).expect(200);
  });

  it('Wrong tokens, malformed ones and none are refused with 429 whatever else is sent, and the right one goes on working (A-06)', async () => {
    const address = newAddress();
    const wrong = ['', 'Bearer a b', 'Bearer a-wrong-token-of-an-operator', 'Bearer fcs_1'];
    const guess = (n: number, path = '/api/v1/forms') => {
      const credentials = wrong[n % wrong.length];
      return send(service().url + path, {
        type: 'application/json',
        body: JSON.stringify({ form: { name: 'x' }, email: `victim${n}@example.com` }),
        headers: {
          ...(credentials && { Authorization: `${credentials}${n}` }),
          'X-Forwarded-For': `${n}.1.1.1, ${address}`,
          'User-Agent': `agent ${n}`,
        },
      });
    };

    const statuses: number[] = [];
    for (let n = 0; n < 1_000; n += 50) {
      const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => guess(n + i)));
      statuses.push(...answers.map(({ status }) => status));
    }

    expect(statuses.filter((status) => [400, 401].includes(status))).toHaveLength(FAILURES);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1_000 - FAILURES);
    const { body, headers } = await guess(0, '/bounces/postmark');
    expect(body.type).toBe('urn:form-collection-service:problem:rate_limited');
    expect(headers.get('Retry-After')).toMatch(/^[1-9]\d*$/);
    for (const path of ['/metrics', '/opt-in/x', '/api/v1/me'])
      await service().as('guessed').get(path).set('X-Forwarded-For', address).expect(refusal(429, 'rate_limited'));
    await inbox.owner.get('/api/v1/me').set('X-Forwarded-For', address).expect(200);
    await service().as('another').get('/api/v1/me').expect(401);
  });
});

onServer('Two instances share what an address may send, by the database, which forgets it', async () => {
  const database = await createTables();
  const settings = { ...database.settings, WORKERS: 'off', RATE_LIMIT_ADDRESS: String(QUOTA) };
  const services = [await Service.start(settings), await Service.start(settings)] as const;
  const one = await Inbox.open(services[0]);
  const other = one.at(services[1]);

  for (let i = 0; i < QUOTA; i++) await one.submit(ONE);
  expect((await one.submit(ONE)).status).toBe(429);
  // The other one asks with every tenth of the quota, so it learns of this with its second request.
  await until(async () => limitOf(await other.submit(ONE)).left === 0);
  expect((await other.submit(ONE)).status).toBe(429);
  expect(await one.count()).toBeLessThanOrEqual(QUOTA + (2 * QUOTA) / 10);

  const rows = () => services[0].query<unknown[]>('SELECT requests FROM rate_counts');
  expect((await rows()).length).toBeGreaterThan(0);
  await services[0].upkeep(new Date(Date.now() + DAY_MS));
  expect(await rows()).toEqual([]);
  for (const each of services) await each.close();
  await database.drop();
});
