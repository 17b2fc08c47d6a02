import { once } from 'node:events';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { connect as connectPlainly, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket, connect } from 'node:tls';
import { Certificates } from '../../src/platform/http/tls/acme.js';
import { makeCertificate, type CertificateOptions } from '../support/certificate.js';
import { findingOf } from '../support/command.js';
import { createTables, type TestDatabase } from '../support/database.js';
import { freePort, Program } from '../support/program.js';
import { Service } from '../support/service.js';
import { askTls, keptConnection } from '../support/tls-client.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const PATH = '/health/live';
const BASE_URL = 'https://127.0.0.1';

let database: TestDatabase;
let folder: string;
let files: { TLS_CERT: string; TLS_KEY: string };
let service: Service | undefined;
beforeAll(async () => {
  database = await createTables();
});
afterAll(() => database.drop());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fcs-tls-'));
  files = { TLS_CERT: join(folder, 'cert.pem'), TLS_KEY: join(folder, 'key.pem') };
});
afterEach(async () => {
  await service?.close();
  service = undefined;
  await rm(folder, { recursive: true });
});

/** Puts a new certificate where the settings say, as a renewal does. @returns the certificate */
async function renew(options: CertificateOptions = { to: Date.now() + 90 * DAY_MS }): Promise<string> {
  const { cert, key } = await makeCertificate(options);
  await writeFile(files.TLS_CERT, cert);
  await writeFile(files.TLS_KEY, key);
  return cert;
}

async function start(settings: Record<string, string> = {}): Promise<Service> {
  service = await Service.start({ ...database.settings, ...files, BASE_URL, ...settings });
  return service;
}

const look = () => service?.app.get(Certificates).look();

const examine = (settings: Record<string, string> = {}) =>
  findingOf({ ...database.settings, ...files, BASE_URL, ...settings }, 'certificate');

describe('A service with TLS_CERT', () => {
  it('takes submissions over https, from the address of the visitor', async () => {
    const ca = await renew();
    const running = await start({ STORE_IP: 'full' });
    const { url, app } = running;
    const owner = await running.openAccount();
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'; // the caller of the other tests knows no authority
    const form = await owner.makeForm().finally(() => delete process.env.NODE_TLS_REJECT_UNAUTHORIZED);

    const sent = await askTls(`${url}/f/${form.identifier}`, ca, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'application/json' },
      body: 'm=hello',
    });
    const path = `${url}/api/v1/forms/${form.identifier}/submissions`;
    const headers = { Authorization: `Bearer ${String(owner.secret)}` };
    const listed = await askTls(path, ca, { headers });
    const { id } = JSON.parse(sent.text) as { id: string };
    const shown = await askTls(`${path}/${id}/source`, ca, { headers });

    expect(sent).toMatchObject({ status: 200 });
    expect(JSON.parse(listed.text)).toMatchObject({ submissions: [{ values: { m: 'hello' } }] });
    expect(JSON.parse(shown.text)).toMatchObject({ address: '127.0.0.1' });
    expect(listed.headers['strict-transport-security']).toBe('max-age=31536000');
    expect(app.getHttpServer().listening).toBe(true);
  });

  it('serves a new certificate without a restart, while open connections go on', async () => {
    const old = await renew();
    const { url } = await start();
    const agent = keptConnection();
    const first = await askTls(url + PATH, old, { agent });

    const renewed = await renew();
    await look();
    const kept = await askTls(url + PATH, old, { agent });
    const fresh = await askTls(url + PATH, renewed);
    agent.destroy();

    expect(kept).toMatchObject({ status: 200, serial: first.serial, from: first.from });
    expect(fresh.status).toBe(200);
    expect(fresh.serial).not.toBe(first.serial);
  });

  it('follows links that a renewal puts elsewhere', async () => {
    const [one, two] = [await makeCertificate(), await makeCertificate()];
    for (const [name, { cert, key }] of Object.entries({ one, two })) {
      await writeFile(join(folder, `${name}.cert`), cert);
      await writeFile(join(folder, `${name}.key`), key);
    }
    const point = async (name: string) => {
      await rm(files.TLS_CERT, { force: true });
      await rm(files.TLS_KEY, { force: true });
      await symlink(join(folder, `${name}.cert`), files.TLS_CERT);
      await symlink(join(folder, `${name}.key`), files.TLS_KEY);
    };
    await point('one');
    const { url } = await start();
    await askTls(url + PATH, one.cert);

    await point('two');
    await look();

    expect((await askTls(url + PATH, two.cert)).status).toBe(200);
  });

  it('keeps the old certificate when the new pair is broken, and says so once', async () => {
    const old = await renew();
    const { url } = await start();

    await writeFile(files.TLS_CERT, (await makeCertificate()).cert);
    await look();
    await look();

    expect((await askTls(url + PATH, old)).status).toBe(200);
    const said = service?.log.match(/The new certificate cannot be used; the old one stays/g);
    expect(said).toHaveLength(1);
    expect(service?.log).toContain(`TLS_KEY ${files.TLS_KEY} is not the key of the certificate`);
    const renewed = await renew();
    await look();
    expect((await askTls(url + PATH, renewed)).status).toBe(200);
  });

  it('finishes what it has when it stops', async () => {
    const ca = await renew();
    const { url } = await start();
    const agent = keptConnection();
    await askTls(url + PATH, ca, { agent });

    await service?.close();
    service = undefined;

    await expect(askTls(url + PATH, ca, { agent })).rejects.toThrow();
  });

  it('cuts a client off that never says hello', async () => {
    await renew();
    const { url } = await start({ HEADER_TIMEOUT_MS: '100' });
    const { port } = new URL(url);
    const silent = connectPlainly(Number(port), '127.0.0.1');
    silent.on('error', () => undefined).resume();

    await once(silent, 'close');

    expect(silent.destroyed).toBe(true);
  });

  it('bounds the connections of an address, as over http', async () => {
    const ca = await renew();
    const { url } = await start({ MAX_CONNECTIONS_PER_ADDRESS: '1' });
    const agent = keptConnection();
    await askTls(url + PATH, ca, { agent });

    await expect(askTls(url + PATH, ca)).rejects.toThrow();
    agent.destroy();
  });

  it('speaks no TLS older than 1.2', async () => {
    const ca = await renew();
    const { url } = await start();
    const { port } = new URL(url);
    const versions = { maxVersion: 'TLSv1.1', minVersion: 'TLSv1' } as const;
    const old = connect({ port: Number(port), host: '127.0.0.1', ca, ...versions });

    await expect(once(old, 'secureConnect')).rejects.toThrow();
    expect(old).toBeInstanceOf(TLSSocket);
  });

  it('exports when the certificate expires', async () => {
    const ca = await renew({ to: Date.now() + 30 * DAY_MS });
    const METRICS_TOKEN = 'a-token-for-metrics-of-this-test';
    const { url } = await start({ METRICS_TOKEN });

    const headers = { Authorization: `Bearer ${METRICS_TOKEN}` };
    const { text } = await askTls(`${url}/metrics`, ca, { headers });

    const [, seconds] = /^fcs_certificate_expires_seconds (\S+)$/m.exec(text) ?? [];
    expect(Number(seconds)).toBeGreaterThan(29 * 86_400);
    expect(Number(seconds)).toBeLessThanOrEqual(30 * 86_400);
  });
});

describe('HTTP_PORT', () => {
  it('leads to https, and keeps the method and body of a form', async () => {
    await renew();
    const HTTP_PORT = await freePort();
    await start({ HTTP_PORT, BASE_URL: 'https://forms.example.com' });
    const from = `http://127.0.0.1:${HTTP_PORT}`;

    const page = await fetch(`${from}/sign-in?next=%2F`, { redirect: 'manual' });
    const form = await fetch(`${from}/f/abc`, { method: 'POST', body: 'm=1', redirect: 'manual' });
    const challenge = await fetch(`${from}/.well-known/acme-challenge/none`, { redirect: 'manual' });

    expect(page.status).toBe(301);
    expect(page.headers.get('location')).toBe('https://forms.example.com/sign-in?next=%2F');
    expect(form.status).toBe(308);
    expect(form.headers.get('location')).toBe('https://forms.example.com/f/abc');
    expect(challenge.status).toBe(404);
  });

  it.each(['//evil.example', 'http://evil.example/'])('leads to no other host: %s', async (path) => {
    await renew();
    const HTTP_PORT = await freePort();
    await start({ HTTP_PORT, BASE_URL: 'https://forms.example.com' });
    const asked = request({ host: '127.0.0.1', port: HTTP_PORT, path }).end();

    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    response.resume();

    expect(new URL(response.headers.location ?? '').host).toBe('forms.example.com');
  });

  it('that another program uses is named, with what to do', async () => {
    await renew();
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const program = Program.service({
      ...database.settings,
      ...files,
      HOST: '127.0.0.1',
      PORT: await freePort(),
      HTTP_PORT: String(port),
    });

    expect(await program.ended).toBe(1);
    other.close();
    expect(program.stderr).toBe(`Another program uses HTTP_PORT ${port}. Stop it, or set HTTP_PORT to another port.\n`);
  });
});

describe('A certificate that is wrong', () => {
  const refusals: [string, () => unknown, RegExp][] = [
    ['is missing', () => rm(files.TLS_CERT), /^TLS_CERT \S+ does not exist\. Set it to a PEM file/],
    ['has no key', () => rm(files.TLS_KEY), /^TLS_KEY \S+ does not exist\./],
    ['is a folder', () => (files.TLS_CERT = folder), /cannot read TLS_CERT \S+ \(EISDIR\)/],
    ['is no PEM', () => writeFile(files.TLS_CERT, 'x'), /^TLS_CERT \S+ has no certificate in PEM/],
    ['has no PEM key', () => writeFile(files.TLS_KEY, 'x'), /^TLS_KEY \S+ has no private key in PEM/],
    [
      'has an encrypted key',
      () => writeFile(files.TLS_KEY, '-----BEGIN ENCRYPTED PRIVATE KEY-----\n'),
      /^TLS_KEY \S+ is encrypted\. Save the key without a passphrase: openssl /,
    ],
    [
      'has another key',
      async () => writeFile(files.TLS_KEY, (await makeCertificate()).key),
      /^TLS_KEY \S+ is not the key of the certificate in TLS_CERT \S+\. Set both to the files that/,
    ],
  ];

  it.each(refusals)('stops the start when it %s', async (_, spoil, sentence) => {
    await renew();
    await spoil();

    await expect(start()).rejects.toThrow(sentence);
    expect(await examine()).toMatchObject({ state: 'failed', detail: expect.stringMatching(sentence) });
  });

  const SOON = { to: Date.now() + DAY_MS + HOUR_MS };
  const EXPIRED = { to: Date.now() - HOUR_MS };
  const ELSEWHERE = { names: ['a.example'], to: Date.now() + 90 * DAY_MS };
  const EARLY = { from: Date.now() + HOUR_MS, to: Date.now() + 90 * DAY_MS };
  it.each([
    ['expires tomorrow', SOON, 'warning', /expires on \S+, in 1 day"/],
    ['has expired', EXPIRED, 'failed', /expired on \S+, and clients refuse it"/],
    ['is for another host', ELSEWHERE, 'warning', /is for a\.example, and not for 127\.0\.0\.1 of/],
    ['is not valid yet', EARLY, 'warning', /is valid only from \S+; check the clock"/],
  ])('is served all the same when it %s, with a warning', async (_, options, state, warning) => {
    await renew({ from: Date.now() - 90 * DAY_MS, ...options });
    const { url } = await start();

    const { serial } = await askTls(url + PATH, '', { rejectUnauthorized: false });
    const finding = await examine();

    expect(serial).not.toBe('');
    expect(service?.log).toMatch(warning);
    expect(finding?.state).toBe(state);
  });
});

describe('The doctor', () => {
  it('tells the names, the issuer and the days of the certificate', async () => {
    await renew({ to: Date.now() + 40 * DAY_MS + HOUR_MS, names: ['127.0.0.1', 'a.example'] });

    expect(await examine()).toEqual({
      name: 'certificate',
      state: 'ok',
      detail: `The certificate for 127.0.0.1, a.example from test is valid for 40 days. Renew ${files.TLS_CERT} before: the service reads the new file within a minute.`,
    });
  });

  it('leaves a service without TLS to its proxy', async () => {
    expect(await examine({ TLS_CERT: '', TLS_KEY: '' })).toMatchObject({ state: 'ok' });
  });
});
