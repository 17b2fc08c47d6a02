import { readdir, readlink } from 'node:fs/promises';
import { Intake } from '../../src/intake/intake.js';
import { RawClient, requestText } from '../support/raw-client.js';
import { useService } from '../support/service.js';
import { storedFiles } from '../support/stored-files.js';
import { Inbox, multipart, urlencoded } from '../support/submit.js';
import { until } from '../support/until.js';

const AT_ONCE = 3;
const ONE = urlencoded([['a', '1']]);
const HEAD = ['Content-Type: application/x-www-form-urlencoded', 'Content-Length: 3'];

const service = useService({
  MAX_CONCURRENT_PER_ADDRESS: String(AT_ONCE),
  HEADER_TIMEOUT_MS: '200',
  BODY_TIMEOUT_MS: '400',
  TRUST_PROXY: '1',
});
let inbox: Inbox;
let path: string;
beforeEach(async () => {
  inbox = await Inbox.open(service());
  path = `/f/${inbox.form.identifier}`;
});

const open = () => RawClient.to(service().url);

/** A visitor whose request has been taken up and who does not go on. */
async function hold(...headers: string[]): Promise<RawClient> {
  const client = await open();
  client.write(requestText(path, [...HEAD, 'Expect: 100-continue', ...headers]));
  await client.until(/100 Continue/);
  return client;
}

describe('One address', () => {
  it('is forgotten when nothing of it is under way any more', async () => {
    for (const address of ['192.0.2.7', '2001:db8:0:9::1']) {
      await inbox.submit({ ...ONE, headers: { 'X-Forwarded-For': address } });
      await inbox.submit({ ...urlencoded([]), headers: { 'X-Forwarded-For': address } });
    }
    await (await hold('X-Forwarded-For: 192.0.2.8')).abort();
    await until(() => service().app.get(Intake).networksUnderWay === 0);
  });

  it('has only so many submissions under way; the next is refused with a wait (S-12)', async () => {
    const held = await Promise.all(Array.from({ length: AT_ONCE }, () => hold()));
    const refused = await inbox.submit(ONE);
    expect(refused.status).toBe(429);
    expect(refused.body.errors).toMatchObject([{ code: 'TOO_MANY_AT_ONCE' }]);
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);

    held[0]?.write('b=2');
    await held[0]?.until(/HTTP\/1\.1 200 OK/);
    expect((await inbox.submit(ONE)).status).toBe(200);
    for (const client of held) await client.abort();
    expect(await inbox.count()).toBe(2);
  });

  it('does not keep others from submitting, but its IPv6 network is one', async () => {
    const from = (address: string) => ({ ...ONE, headers: { 'X-Forwarded-For': address } });
    const addresses = ['2001:db8:0:1::1', '2001:DB8::1:0:0:0:2', '2001:db8:0:1:ffff:1:2:3'];
    const held = await Promise.all(addresses.map((each) => hold(`X-Forwarded-For: ${each}`)));
    for (const [address, status] of [
      ['2001:db8:0:1::ffff', 429],
      ['2001:0db8:0000:0001:1:1:1:1', 429],
      ['2001:db8:0:2::1', 200],
      ['192.0.2.1', 200],
    ] as const) {
      const answer = await inbox.submit(from(address));
      expect({ address, status: answer.status }).toEqual({ address, status });
    }
    for (const client of held) await client.abort();
  });

  it('is free again when its visitors have left, however early', async () => {
    for (let round = 0; round < 20; round++) {
      const fresh = await Inbox.open(service());
      const client = await open();
      await client.flush(requestText(`/f/${fresh.form.identifier}`, HEAD));
      await client.abort();
    }
    await until(async () => (await inbox.submit(ONE)).status === 200);
  });
});

it.each([
  ['in the headers', () => `POST ${path} HTTP/1.1\r\nHost: x\r\n`],
  ['in the body', () => requestText(path, HEAD, 'a')],
  [
    'in a file',
    () =>
      requestText(
        path,
        ['Content-Type: multipart/form-data; boundary=x', 'Content-Length: 999'],
        '--x\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\nabc',
      ),
  ],
])('A slow visitor (S-12) is cut off %s, and leaves nothing', async (_, text) => {
  const client = await open();
  client.write(text());
  expect(await client.closed).toMatch(/^(?:HTTP\/1\.1 408 |$)/);
  await until(async () => (await storedFiles(service().config)).length === 0);
  expect(await inbox.all()).toEqual([]);
});

describe('A request that two servers could read in two ways (S-13)', () => {
  const SMUGGLED = '0\r\n\r\nPOST /f/evil HTTP/1.1\r\nHost: x\r\n\r\n';
  const FORM = 'Content-Type: application/x-www-form-urlencoded';
  it.each<[string, string[], string]>([
    ['both lengths', [FORM, 'Content-Length: 3', 'Transfer-Encoding: chunked'], SMUGGLED],
    ['two lengths', [FORM, 'Content-Length: 3', 'Content-Length: 4'], 'a=12'],
    ['a length list', [FORM, 'Content-Length: 3, 4'], 'a=12'],
    ['a signed length', [FORM, 'Content-Length: +3'], 'a=1'],
    ['a length that is none', [FORM, 'Content-Length: 0x3'], 'a=1'],
    ['an unknown coding', [FORM, 'Transfer-Encoding: xchunked'], SMUGGLED],
    ['chunked not last', [FORM, 'Transfer-Encoding: chunked, identity'], SMUGGLED],
    ['a blank before a colon', [FORM, 'Transfer-Encoding : chunked'], SMUGGLED],
    ['gzip before chunked', [FORM, 'Transfer-Encoding: gzip, chunked'], SMUGGLED],
    ['chunked twice', [FORM, 'Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'], SMUGGLED],
    ['two hosts', [FORM, 'host: other', 'Content-Length: 3'], 'a=1'],
    ['a bad chunk', [FORM, 'Transfer-Encoding: chunked'], 'zz\r\na=1\r\n0\r\n\r\n'],
    ['a chunk longer than it says', [FORM, 'Transfer-Encoding: chunked'], '1\r\na=1\r\n0\r\n\r\n'],
    ['a NUL in a header', [FORM, 'X: a\0b', 'Content-Length: 3'], 'a=1'],
  ])('by %s is refused with 400, and the connection closed', async (_, headers, body) => {
    const client = await open();
    client.write(Buffer.from(requestText(path, headers, body), 'latin1'));
    expect(await client.closed).toMatch(/^HTTP\/1\.1 400 (?:(?!HTTP\/1\.1).)*$/s);
    expect(await inbox.all()).toEqual([]);
  });

  it('by a folded header is not read as two', async () => {
    const client = await open();
    const folded = ['X-A: 1\r\n Content-Length: 99', ...HEAD, 'Connection: close'];
    client.write(requestText(path, folded, 'a=1'));
    expect(await client.closed).toMatch(/^HTTP\/1\.1 (?:200|400) /);
  });
});

it.each(['http://localhost', 'HTTP://forms.example.com:3000', 'https://localhost'])(
  'A request with the whole address, as to a proxy, is one with its path: %s',
  async (origin) => {
    const client = await open();
    client.write(requestText(origin + path, [...HEAD, 'Connection: close'], 'a=1'));
    expect(await client.closed).toMatch(/^HTTP\/1\.1 200 .*"success":true/s);
    expect(await inbox.count()).toBe(1);
  },
);

describe('An upload that is cut off (S-03)', () => {
  const { type = '', body = '' } = multipart(
    [['a', '1']],
    [
      { field: 'f', name: 'one', bytes: 'x'.repeat(3_000) },
      { field: 'f', name: 'two', bytes: Buffer.alloc(200_000, 'y') },
    ],
  );
  const head = [`Content-Type: ${type}`, `Content-Length: ${body.length}`];

  it.each([0, 1, 100, 150, 250, 1_000, 3_300, 3_400, 50_000, 203_000, body.length - 1])(
    'after %d bytes leaves no file, on disk or open',
    async (sent) => {
      const client = await open();
      await client.flush(requestText(path, head));
      if (sent > 0) await client.flush(Buffer.from(body).subarray(0, sent));
      await client.abort();
      expect((await inbox.submit(ONE)).status).toBe(200); // what came before has been read by then
      await until(async () => (await traces()).length === 0);
      expect(await inbox.count()).toBe(1);
    },
  );

  it('by its sender in good order leaves none either', async () => {
    for (const end of [body.length - 3, body.length - 4, 3_400, 180]) {
      const answer = await inbox.submit({ type, body: Buffer.from(body).subarray(0, end) });
      expect({ end, status: answer.status }).toEqual({ end, status: 400 });
      expect(await traces()).toEqual([]);
    }
  });

  /** Files on disk, and files that are open. */
  async function traces(): Promise<string[]> {
    const { config } = service();
    const open = await readdir('/proc/self/fd').catch(() => []);
    const links = open.map((each) => readlink(`/proc/self/fd/${each}`).catch(() => ''));
    const ours = (await Promise.all(links)).filter((each) => each.includes(`${config.dataDir}/files`));
    return [...(await storedFiles(config)), ...ours];
  }
});

it('An idle connection is kept for longer than proxies keep theirs', async () => {
  const { headers } = await inbox.submit(ONE);
  expect(headers.get('Keep-Alive')).toBe('timeout=65');
});
