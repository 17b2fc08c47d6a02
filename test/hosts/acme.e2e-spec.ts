import { X509Certificate } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Certificates } from '../../src/platform/http/tls/acme.js';
import { AcmeAuthority } from '../support/acme-authority.js';
import { findingOf } from '../support/command.js';
import { createTables, type TestDatabase } from '../support/database.js';
import { freePort, Program } from '../support/program.js';
import { Service } from '../support/service.js';
import { askTls, keptConnection } from '../support/tls-client.js';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const PATH = '/health/live';
const NAME = 'forms.example.test';

let database: TestDatabase;
let authority: AcmeAuthority;
let httpPort: string;
let service: Service | undefined;
beforeAll(async () => {
  database = await createTables();
});
afterAll(() => database.drop());
beforeEach(async () => {
  authority = await new AcmeAuthority().listen();
  httpPort = await freePort();
  authority.challengePort = Number(httpPort);
});
afterEach(async () => {
  await service?.close();
  service = undefined;
  await authority.close();
});

const settings = (more: Record<string, string> = {}) => ({
  ...database.settings,
  ACME_DOMAIN: NAME,
  ACME_DIRECTORY_URL: authority.directoryUrl,
  HTTP_PORT: httpPort,
  ...more,
});

async function start(more: Record<string, string> = {}): Promise<Service> {
  service = await Service.start(settings(more));
  return service;
}

/** Each test has a folder of its own, as it has an authority of its own. */
const folder = () => join(database.settings.DATA_DIR ?? '', 'acme', `127.0.0.1%3A${authority.port}`);

const look = (now?: Date) => service?.app.get(Certificates).look(now);
const later = (ms: number) => new Date(Date.now() + ms);
const ask = (url: string, name = NAME) => askTls(url + PATH, authority.root.cert, { name });

const certificateFinding = () => findingOf(settings(), 'certificate');

describe('A service with ACME_DOMAIN', () => {
  it('gets a certificate from an authority by itself, and serves it', async () => {
    const { url, config } = await start({ ACME_EMAIL: 'owner@example.com' });
    await look();

    expect((await ask(url)).status).toBe(200);
    expect(authority.complaints).toEqual([]);
    expect(authority.issued).toEqual([[NAME]]);
    expect(authority.contacts).toEqual([['mailto:owner@example.com']]);
    expect(config.baseUrl).toBe(`https://${NAME}`);
    const steps = ['Ordering a certificate', 'Answering the challenge', 'Serving a certificate'];
    const said = steps.map((step) => service?.log.indexOf(step) ?? -1);
    expect(said).toEqual([...said].sort((a, b) => a - b));
    expect(said[0]).toBeGreaterThan(0);
    expect(await certificateFinding()).toEqual({
      name: 'certificate',
      state: 'ok',
      detail: expect.stringMatching(
        /^The certificate for forms\.example\.test from Test Authority is valid for 89 days\. The service renews it from \d{4}-\d\d-\d\d on\.$/,
      ),
    });
  });

  it('keeps the key and the certificate where only its user reads them', async () => {
    await start();
    await look();

    expect((await readdir(folder())).sort()).toEqual(['account-key.pem', 'certificate.pem']);
    for (const name of await readdir(folder())) {
      expect((await stat(join(folder(), name))).mode & 0o777).toBe(0o600);
    }
    const text = await readFile(join(folder(), 'certificate.pem'), 'utf8');
    expect(new X509Certificate(text).subjectAltName).toBe(`DNS:${NAME}`);
    expect(text.match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
  });

  it('gets one certificate for several names', async () => {
    const { url } = await start({ ACME_DOMAIN: `${NAME}, other.example.test` });
    await look();

    expect((await ask(url)).status).toBe(200);
    expect((await ask(url, 'other.example.test')).status).toBe(200);
    expect(authority.issued).toHaveLength(1);
    expect(authority.complaints).toEqual([]);
  });

  it('orders no further one after a restart, except for another name', async () => {
    await start();
    await look();
    await service?.close();
    const { url } = await start();
    await look();
    expect(authority.issued).toHaveLength(1);
    expect((await ask(url)).status).toBe(200);
    await service?.close();

    const renamed = await start({ ACME_DOMAIN: 'new.example.test' });
    await look();

    expect((await ask(renamed.url, 'new.example.test')).status).toBe(200);
    expect(authority.issued).toEqual([[NAME], ['new.example.test']]);
    expect(authority.accounts.size).toBe(1);
  });

  it('renews when a third of the life is left, while open connections go on', async () => {
    const { url } = await start();
    await look();
    const agent = keptConnection();
    const first = await askTls(url + PATH, authority.root.cert, { name: NAME, agent });

    await look(later(59 * DAY_MS));
    expect(authority.issued).toHaveLength(1);
    await look(later(61 * DAY_MS));

    const kept = await askTls(url + PATH, authority.root.cert, { name: NAME, agent });
    agent.destroy();
    expect(authority.issued).toHaveLength(2);
    expect(kept.from).toBe(first.from);
    expect((await ask(url)).serial).not.toBe(first.serial);
    expect(authority.complaints).toEqual([]);
  });

  it('goes on serving the old certificate while the authority is busy, and says why', async () => {
    const { url } = await start();
    await look();
    const { serial } = await ask(url);
    authority.isBusy = true;

    await look(later(70 * DAY_MS));

    expect((await ask(url)).serial).toBe(serial);
    expect(service?.log).toContain('Too many certificates were issued for this name.');
    expect(await certificateFinding()).toMatchObject({
      state: 'warning',
      detail: expect.stringContaining('The last order failed: Too many certificates were issued for this name.'),
    });
  });

  it('tries again after a while, and longer with each failure', async () => {
    authority.isBusy = true;
    const { url } = await start();
    await look();
    const tries = () => service?.log.match(/"Ordering a certificate"/g)?.length;
    expect(tries()).toBe(1);
    await look(later(4 * MINUTE_MS));
    expect(tries()).toBe(1);
    await look(later(6 * MINUTE_MS));
    expect(tries()).toBe(2);
    await look(later(12 * MINUTE_MS));
    expect(tries()).toBe(2);

    authority.isBusy = false;
    await look(later(17 * MINUTE_MS));

    expect(tries()).toBe(3);
    expect((await ask(url)).status).toBe(200);
    expect((await certificateFinding())?.state).toBe('ok');
  });

  it('stays up while no authority answers, and keeps forms on http informed', async () => {
    await start({ ACME_DIRECTORY_URL: `http://127.0.0.1:${await freePort()}/` });
    await look();

    expect(service?.log).toMatch(/does not respond \(ECONNREFUSED\)/);
    expect(service?.log).not.toContain('Serving a certificate');
    const answer = await fetch(`http://127.0.0.1:${httpPort}/f/x`, { redirect: 'manual' });
    expect(answer.headers.get('location')).toBe(`https://${NAME}/f/x`);
  });

  it('says what to do when the authority does not reach it', async () => {
    authority.challengePort = Number(await freePort());
    await start();
    await look();

    expect(service?.log).toContain(`The answer of ${NAME} on port 80 is wrong.`);
    expect(service?.log).toContain(
      `The authority must reach HTTP_PORT ${httpPort} of this service as port 80 of ${NAME}`,
    );
    expect((await certificateFinding())?.state).toBe('failed');
  });

  it('works as a program too, in one file', async () => {
    const PORT = await freePort();
    const program = Program.service(settings({ HOST: '127.0.0.1', PORT }));
    await program.untilPrinted(/Serving a certificate/);

    const { serial } = await ask(`https://127.0.0.1:${PORT}`);
    await program.stop();

    expect(serial).not.toBe('');
    expect(authority.complaints).toEqual([]);
  });
});
