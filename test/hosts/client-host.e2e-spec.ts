import { GuardedHttpClient } from '../../src/platform/http-client/guarded-http-client.js';
import { NameServer } from '../support/dns.js';
import { Browser, PASSWORD } from '../support/people.js';
import type { ProblemBody } from '../support/refusal.js';
import { useService, useOwner } from '../support/service.js';
import { useReceiver } from '../support/webhook-receiver.js';

const dns = new NameServer();
beforeAll(() => dns.start());
afterAll(() => {
  dns.stop();
});
const service = useService(() => ({
  HOSTS: 'forms.acme.example, *.agency.example',
  DNS_SERVERS: dns.address,
  BASE_URL: 'http://localhost',
  WORKERS: 'off',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32',
}));
const receiver = useReceiver();
let clientId: number;
let host: string;
let made = 0;
const owner = useOwner(service);
beforeEach(async () => {
  clientId = await owner.makeClient();
  host = `c${++made}.agency.example`;
  dns.records = [];
});
const path = () => `/api/v1/clients/${clientId}/host` as const;
const claim = (name: string) => owner.put(path()).send({ host: { name } });

/** Claims the host, and has its holder publish the record. */
async function claimed(): Promise<void> {
  const { name, value } = (await claim(host).expect(200)).body.host.record;
  dns.records = [`${name} TXT ${value}`];
}

/** Proves the host. */
async function proven(): Promise<void> {
  await claimed();
  await owner.post(`${path()}/verify`).expect(201);
}

const isServed = (name: string, status = 200) =>
  service().anonymous().get(`/health/host?domain=${name}`).expect(status);
/** Makes somebody of the client. */
const makeSomebody = () => service().makePerson(owner, { clientId, actions: ['see'] });
const problem = (code: string) => `urn:form-collection-service:problem:${code}`;
/** Returns the address of the service under the host. */
const address = () => `http://${host}`;

describe('A host of a client', () => {
  it('serves it once its holder has published the record', async () => {
    await claim(host).expect(200);
    const early = await owner.post(`${path()}/verify`).expect(409);
    expect(early.body).toMatchObject({ type: problem('host_not_proven') });
    expect((early.body as unknown as ProblemBody).detail).toContain(`_form-collection.${host}`);
    await isServed(host, 404);

    await claimed();
    const { body } = await owner.post(`${path()}/verify`).expect(201);
    expect(body).toMatchObject({ host: { name: host, proven: true } });
    await isServed(host);
  });

  it('is proven by a file as well', async () => {
    const { record, file_urls: urls } = (await claim(host).expect(200)).body.host;
    const reply = (status: number, text: string) => ({ status, headers: {}, body: text });
    jest
      .spyOn(service().app.get(GuardedHttpClient), 'read')
      .mockImplementation((url) => Promise.resolve(url === urls[1] ? reply(200, `${record.value}\n`) : reply(404, '')));
    await owner.post(`${path()}/verify`).expect(201);
  });

  it('is where its visitors stay, and where its forms are', async () => {
    await proven();
    const form = await owner.makeForm();
    const visitor = service().anonymous();
    const sent = await visitor
      .post(`/f/${form.identifier}`)
      .set('Host', host)
      .set('Accept', 'text/html')
      .type('form')
      .send({ a: 'b' });
    expect(sent.status).toBe(303);
    expect(sent.headers.location).toMatch(new RegExp(`^${address()}/f/${form.identifier}/thanks`));
    const page = await visitor.get(`/f/${form.identifier}`).set('Host', host).expect(200);
    expect(page.text).toContain(`${address()}/f/${form.identifier}`);
    const elsewhere = await visitor.get(`/f/${form.identifier}`).set('Host', 'evil.example');
    expect(elsewhere.text).not.toContain('evil.example');
  });

  it('is where the links in calls lead, about a form that no other client sees', async () => {
    await proven();
    const form = await owner.makeForm({ webhook_url: receiver.url });
    const client = { form_ids: [form.id] };
    await owner.patch(`/api/v1/clients/${clientId}`, { client }).expect(200);
    await service().submitFile(form, 'a file');
    await service().sendDue();
    expect(receiver.last.body).toContain(`"url":"${address()}/files/`);
  });

  it('takes forms of its own pages and of no other site', async () => {
    await proven();
    const { email } = await makeSomebody();
    const browser = new Browser(service());
    const signIn = (origin: string) =>
      browser.post('/sign-in', { email, password: PASSWORD }, { Host: host, Origin: origin });
    expect((await signIn('http://evil.example')).status).toBe(403);
    expect((await signIn('http://localhost')).status).toBe(403);
    expect((await signIn(address())).status).toBe(303);
  });

  it('lets in nobody who belongs elsewhere too', async () => {
    await proven();
    const headers = { Host: host, Origin: address() };
    const { email } = await service().makePerson(owner);
    const browser = new Browser(service());
    const refused = await browser.post('/sign-in', { email, password: PASSWORD }, headers);
    expect(refused.status).toBe(422);
    expect(browser.session).toBeUndefined();

    await browser.signIn(email);
    expect((await browser.get('/inbox')).status).toBe(200);
    expect((await browser.get('/inbox', { Host: host })).status).toBe(303);
  });

  it('serves until another one is proven', async () => {
    await proven();
    const first = host;
    host = `d${made}.agency.example`;
    const { body } = await claim(host).expect(200);
    expect(body).toMatchObject({ host: { name: host, proven: false, serving: first } });
    await isServed(first);
    await proven();
    await isServed(first, 404);
    await isServed(host);
  });

  it('offers no passkeys, which are made for the address of the service', async () => {
    await proven();
    const { email } = await makeSomebody();
    const browser = await Browser.of(service(), email);
    for (const page of ['/account', '/account/passkeys']) {
      expect((await browser.get(page)).text).toContain('Add a passkey');
      const { status, text } = await browser.get(page, { Host: host });
      expect([status, text.includes('Add a passkey')]).toEqual([200, false]);
    }
    const ann = { email: `at-${host}@example.org`, name: 'Ann', send: false };
    const { link } = await owner.create(`/api/v1/clients/${clientId}/people`, { person: ann });
    const [, invitation = ''] = link?.split('#') ?? [];
    const offered = (headers: Record<string, string>) =>
      new Browser(service()).post('/invitation', { invitation }, headers);
    expect((await offered({ Origin: 'http://localhost' })).text).toContain('Add a passkey');
    const there = await offered({ Host: host, Origin: address() });
    expect(there.text).toContain('Password');
    expect(there.text).not.toContain('Add a passkey');
  });

  it('belongs to one client alone', async () => {
    await claimed();
    const other = await service().openAccount();
    const rival = await other.makeClient();
    const rivalPath = `/api/v1/clients/${rival}/host` as const;
    await other.put(rivalPath, { host: { name: host } }).expect(200);
    await other.post(`${rivalPath}/verify`).expect(409);
    await owner.post(`${path()}/verify`).expect(201);

    const { record } = (await other.read(rivalPath)).host;
    dns.records.push(`${record.name} TXT ${record.value}`);
    expect((await other.post(`${rivalPath}/verify`).expect(409)).body).toMatchObject({ type: problem('host_taken') });
    await owner.delete(`/api/v1/clients/${clientId}`).expect(200);
    await other.post(`${rivalPath}/verify`).expect(201);
  });

  it.each([
    ['https://forms.acme.example', 'not_a_host'],
    ['forms', 'not_a_host'],
    ['forms.acme.example:81', 'not_a_host'],
    ['elsewhere.example', 'not_allowed'],
    ['agency.example', 'not_allowed'],
  ])('cannot be %s', async (name, code) => {
    const { body } = await claim(name).expect(422);
    expect(body).toMatchObject({ errors: [{ field: 'host.name', code }] });
  });

  it('is given up, and the account and its clients alone see it', async () => {
    await proven();
    await (await service().openAccount()).get(path()).expect(404);
    const own = await owner.makeClientToken(clientId);
    await service().as(own).get(path()).expect(404);
    await owner.delete(path()).expect(200);
    await owner.get(path()).expect(404);
    await isServed(host, 404);
  });
});
