import type { LookupAddress } from 'node:dns';
import { isIPv6 } from 'node:net';
import { GuardedHttpClient } from '../../src/platform/http-client/guarded-http-client.js';
import { refusal, type ProblemBody } from '../support/refusal.js';
import { useService, type FormBody, type Caller, type Service } from '../support/service.js';
import { answers, Trap, WebhookReceiver } from '../support/webhook-receiver.js';

const FORBIDDEN = { result: 'refused', outcome: 'forbidden_address', code: null };

/** Names lead where a test says, until the next one. */
function useNames(service: () => Service, lookUp: (host: string) => LookupAddress[]): void {
  let real: GuardedHttpClient['resolve'];
  beforeEach(() => {
    const http = service().app.get(GuardedHttpClient);
    real = http.resolve;
    http.resolve = (host) => Promise.resolve(lookUp(host));
  });
  afterEach(() => {
    service().app.get(GuardedHttpClient).resolve = real;
  });
}

const addresses = (...list: string[]) => list.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));

/** Sets the URL as a form's webhook; returns the rule that refuses it, or the form. */
async function set(owner: Caller, url: string): Promise<FormBody | string> {
  const { status, body } = await owner.post('/api/v1/forms', { form: { name: 'X', webhook_url: url } });
  if (status !== 422) return body;
  return (body as object as { errors: { code: string }[] }).errors.map(({ code }) => code).join();
}

async function call(owner: Caller, form: FormBody | string) {
  if (typeof form === 'string') throw new Error(`The address is refused: ${form}`);
  return (await owner.post(`/api/v1/forms/${form.identifier}/webhook/test`).expect(200)).body;
}

/** Sets the URL while it is not known where it leads; null when the URL itself is refused. */
async function setUnseen(service: Service, owner: Caller, url: string): Promise<FormBody | null> {
  const seen = jest.spyOn(service.app.get(GuardedHttpClient), 'leadsInside');
  seen.mockResolvedValue(false);
  const form = await set(owner, url);
  seen.mockRestore();
  return typeof form === 'string' ? null : form;
}

describe('A webhook without allowed networks', () => {
  const service = useService({ WORKERS: 'off' });
  let owner: Caller;
  let trap: Trap;
  let names: Record<string, LookupAddress[]>;
  useNames(service, (host) => names[host] ?? []);
  beforeEach(async () => {
    names = {};
    owner = await service().openAccount();
    trap = await Trap.set('::');
  });
  afterEach(() => trap.close());

  it.each([
    ...['127.0.0.1', '127.1', '0177.0.0.1', '0x7f000001', '2130706433', '127.0.0.1.', '0'],
    ...['①②⑦.⓪.⓪.①', '127。0。0。1', '%31%32%37.0.0.1', '169.254.169.254', '10.0.0.1'],
    ...['[::1]', '[0:0:0:0:0:ffff:7f00:0001]', '[64:ff9b::127.0.0.1]', '[fe80::1%25lo]', '[fc00::1]'],
    ...['user@127.0.0.1', '127.0.0.1\\@example.com'],
  ])('does not call http://%s, and is not set to it (W-01)', async (host) => {
    const url = `http://${host}:${trap.port}/`;
    const form = await setUnseen(service(), owner, url);

    expect(await set(owner, url)).toBe(form ? 'private_address' : 'not_a_url');
    if (form) expect(await call(owner, form)).toMatchObject(FORBIDDEN);
    expect(trap.connections).toBe(0);
  });

  it('is saved while names hang, two of which are looked up at once', async () => {
    const hanging: ((found: LookupAddress[]) => void)[] = [];
    service().app.get(GuardedHttpClient).resolve = () => new Promise((resolve) => hanging.push(resolve));

    const saved = await Promise.all([1, 2, 3, 4].map((n) => set(owner, `http://slow${n}.example.com/`)));

    expect(saved.map((form) => typeof form)).toEqual(saved.map(() => 'object'));
    expect(hanging).toHaveLength(2);
    for (const end of hanging) end([]);
  });

  it.each(['localhost', 'LOCALHOST', 'localhost.', 'inside.example.com'])(
    'does not call the name %s that leads to this machine, and is not set to it',
    async (host) => {
      const url = `http://${host}:${trap.port}/`;
      const early = await set(owner, url);
      names = { [host.toLowerCase()]: addresses('127.0.0.1') };

      expect(await set(owner, url)).toBe('private_address');
      expect(await call(owner, early)).toMatchObject(FORBIDDEN);
      expect(trap.connections).toBe(0);
    },
  );

  it('is set to a name whose answer takes too long', async () => {
    service().app.get(GuardedHttpClient).resolve = () => new Promise(() => undefined);

    expect(await set(owner, 'http://slow.example.com/')).toMatchObject({ name: 'X' });
  });

  it('is refused in a change too, with the setting to ask for, unless the form has it already', async () => {
    const url = 'http://192.168.0.9/hook';
    const form = await owner.makeForm();
    const changes = { form: { webhook_url: url, name: 'Y' } };
    const path = `/api/v1/forms/${form.identifier}` as const;

    const { body } = await owner.patch(path, changes).expect(refusal(422, 'private_address', 'form.webhook_url'));
    expect((body as unknown as ProblemBody).detail).toContain('WEBHOOK_ALLOWED_NETWORKS');
    const old = await setUnseen(service(), owner, url);
    await owner.patch(`/api/v1/forms/${old?.identifier}`, changes).expect(200);
  });

  it.each([
    ['one public and one private', ['1.1.1.1', '127.0.0.1']],
    ['a public IPv4 and a private IPv6', ['1.1.1.1', '::1']],
    ['a mapped private one', ['::ffff:127.0.0.1']],
    ['none', []],
  ])('does not call a name with %s address (W-02)', async (_, list) => {
    const form = await set(owner, `http://mixed.example.com:${trap.port}/`);
    names = { 'mixed.example.com': addresses(...list) };

    expect(await call(owner, form)).toMatchObject(FORBIDDEN);
    expect(trap.connections).toBe(0);
  });

  it('gives a delivery up at once, and says why', async () => {
    const form = await owner.makeForm({ webhook_url: `http://moves.example.com:${trap.port}/` });
    const id = await service().submit(form, { name: 'Jane' });
    names = { 'moves.example.com': addresses('127.0.0.1') };
    await service().sendDue();

    expect(await owner.webhookCallOf(form, id)).toMatchObject({
      state: 'failed',
      attempts: [
        { outcome: 'forbidden_address', code: null, answer: expect.stringContaining('WEBHOOK_ALLOWED_NETWORKS') },
      ],
    });
    expect(trap.connections).toBe(0);
  });

  it.each(['file:///etc/passwd', '//example.com/'])('is not set to %s', async (url) => {
    expect(await set(owner, url)).toBe('not_a_url');
  });
});

describe('A webhook with one allowed address', () => {
  const service = useService({ WORKERS: 'off', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' });
  let owner: Caller;
  let receiver: WebhookReceiver;
  let trap: Trap;
  let lookUp: () => LookupAddress[];
  useNames(service, () => lookUp());
  beforeEach(async () => {
    owner = await service().openAccount();
    receiver = await WebhookReceiver.start(answers(200, '', { connection: 'close' }));
    trap = await Trap.set('127.0.0.2', receiver.port);
  });
  afterEach(async () => {
    await receiver.close();
    await trap.close();
  });

  it.each(['127.0.0.1', '0x7f.1', '[::ffff:127.0.0.1]'])('calls it as %s', async (host) => {
    const url = `http://${host}:${receiver.port}/`;

    expect(await call(owner, await set(owner, url))).toMatchObject({ outcome: 'accepted' });
    expect(receiver.calls).toHaveLength(1);
  });

  it('does not call the address beside it', async () => {
    const url = `http://127.0.0.2:${trap.port}/`;

    const form = await setUnseen(service(), owner, url);
    expect(await call(owner, form ?? url)).toMatchObject(FORBIDDEN);
    expect(trap.connections).toBe(0);
  });

  it('never follows a name that leads elsewhere from one look to the next (W-02)', async () => {
    let looks = 0;
    lookUp = () => addresses(looks++ % 2 === 0 ? '127.0.0.1' : '127.0.0.2');
    const form = await owner.makeForm({ webhook_url: `http://rebind.example.com:${receiver.port}/` });
    looks = 0;

    for (let i = 0; i < 50; i++) {
      await owner.post(`/api/v1/forms/${form.identifier}/webhook/test`).expect(200);
    }

    expect(looks).toBe(50);
    expect(receiver.calls).toHaveLength(25);
    expect(trap.connections).toBe(0);
  });

  it('says nothing to a socket that ended up elsewhere (W-02)', async () => {
    let reads = 0;
    const changing = {
      family: 4,
      get address() {
        return reads++ === 0 ? '127.0.0.1' : '127.0.0.2';
      },
    };
    lookUp = () => [changing];

    const form = await set(owner, `http://changing.example.com:${receiver.port}/`);
    reads = 0;

    expect(await call(owner, form)).toMatchObject(FORBIDDEN);
    expect(receiver.calls).toEqual([]);
    expect(trap.bytes).toBe(0);
  });
});
