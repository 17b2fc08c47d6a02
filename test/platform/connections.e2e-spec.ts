import { once } from 'node:events';
import { promisify } from 'node:util';
import { askOnly, RawClient } from '../support/raw-client.js';
import { useService, type FormBody, type Caller } from '../support/service.js';
import { multipart, send, urlencoded } from '../support/submit.js';
import { until } from '../support/until.js';

const STALLED_MS = 300;
const MIB = 1024 * 1024;

describe('A client that reads nothing of its answer', () => {
  const service = useService({ MAX_FILE_BYTES: String(20 * MIB) });
  let owner: Caller;
  let form: FormBody;
  let file: string;
  beforeAll(async () => {
    // A minute, for a test.
    service().app.getHttpServer().timeout = STALLED_MS;
    owner = await service().openAccount();
    form = await owner.makeForm();
    const url = `${service().url}/f/${form.identifier}`;
    const bytes = Buffer.alloc(15 * MIB, 'x');
    const { body } = await send(url, multipart([], [{ field: 'f', name: 'f', bytes }]));
    const path = `/api/v1/forms/${form.identifier}/submissions/${String(body.id)}` as const;
    const shown = (await owner.get(path).expect(200)).body;
    file = new URL(shown.files[0]?.url ?? '').pathname;
    const value = 'x'.repeat(250_000);
    const values = ['a', 'b', 'c', 'd'].map((name) => [name, value] as const);
    for (let i = 0; i < 12; i++) await send(url, urlencoded(values));
  });

  const ask = (path: string) => askOnly(service().url, path, owner.secret);

  const connections = () => {
    const server = service().app.getHttpServer();
    return promisify(server.getConnections.bind(server))();
  };

  it.each([
    ['a list', () => `/api/v1/forms/${form.identifier}/submissions` as const],
    ['an export', () => `/api/v1/forms/${form.identifier}/submissions.ndjson` as const],
    ['a file', () => file],
  ])('is cut off: of %s', async (_, path) => {
    service().app.getHttpServer().closeIdleConnections();
    await until(async () => (await connections()) === 0);
    const sockets = await Promise.all(Array.from({ length: 3 }, () => ask(path())));
    await until(async () => (await connections()) === 3);
    await until(async () => (await connections()) === 0);
    for (const socket of sockets) socket.destroy();
  });

  it('is not one that reads slowly', async () => {
    const socket = await ask(file);
    let bytes = 0;
    let reads = 0;
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (++reads % 60 === 0 && bytes < 8 * MIB) {
        socket.pause();
        setTimeout(() => socket.resume(), STALLED_MS / 3);
      }
      if (bytes > 15 * MIB) socket.destroy();
    });
    socket.resume();
    await once(socket, 'close');
    expect(bytes).toBeGreaterThan(15 * MIB);
  });
});

describe.each([
  ['One address', { MAX_CONNECTIONS_PER_ADDRESS: '5' }, 5],
  ['A trusted proxy', { MAX_CONNECTIONS_PER_ADDRESS: '2', TRUST_PROXY: '127.0.0.1/32' }, 9],
])('%s', (who, settings, count) => {
  const service = useService(settings);

  it('has only so many connections until it closes some; a proxy, which speaks for many, as many as it likes', async () => {
    const open = () => RawClient.to(service().url);
    const clients = await Promise.all(Array.from({ length: count }, open));
    for (const each of clients) {
      each.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
      await each.until(/ 200 OK/);
    }
    if (who === 'One address') expect(await (await open()).closed).toBe('');

    await clients[0]?.abort();
    const ask = () => fetch(`${service().url}/health/live`).catch(() => null);
    await until(async () => (await ask())?.ok ?? false);
    for (const client of clients) await client.abort();
  });
});
