import { createHash, createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { Response } from 'supertest';
import type { Schemas } from '../../build/api.js';
import { useClock } from '../support/clock.js';
import { elementsOf } from '../support/page.js';
import { refusal } from '../support/refusal.js';
import { useService, useOwner, type FormBody } from '../support/service.js';
import { useReceiver, answers } from '../support/webhook-receiver.js';

const service = useService({ WORKERS: 'off', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' });
useClock();
let form: FormBody;
const path = () => `/api/v1/forms/${form.identifier}/webhook` as const;
const receiver = useReceiver();
const owner = useOwner(service);
beforeEach(async () => {
  form = await owner.makeForm({ name: 'Contact', webhook_url: receiver.url });
});
const hookIn = ({ body }: Pick<Response, 'body'>) => {
  const { webhook } = body as { webhook: Schemas['WebhookDto'] };
  return { ...webhook, secret: webhook.secret ?? '' };
};
const change = async (webhook: object) => hookIn(await owner.patch(path(), { webhook }).expect(200));

function deliver(): Promise<string> {
  return service().deliver(form, { name: 'Jäne', message: 'Hi' });
}

describe('The format of a webhook', () => {
  it.each([
    ['flat', () => '{"name":"Jäne","message":"Hi"}'],
    ['web3forms', () => '{"name":"Jäne","message":"Hi","submittedAt":"'],
    ['basin-form', (id: string) => `name=J%C3%A4ne&message=Hi&id=${id}`],
  ])('%s is what calls and tests send', async (format, begin) => {
    expect(await change({ format })).toMatchObject({ format, signature: 'standard' });
    const id = await deliver();

    const { body, headers, id: delivery } = receiver.last;
    expect(body).toContain(begin(id));
    expect(headers['content-type']).toBe(
      format === 'basin-form' ? 'application/x-www-form-urlencoded' : 'application/json',
    );
    expect(headers['user-agent']).toBe(format === 'web3forms' ? 'Web3Forms/1.0' : 'Form-Collection-Service/1');
    expect(delivery).toMatch(/^msg_/);

    await owner.post(`${path()}/test`).expect(200);
    expect(receiver.last.body).toContain(format === 'basin-form' ? 'Jane+Doe' : 'Jane Doe');
    expect(receiver.last.headers['content-type']).toBe(headers['content-type']);
  });

  it('is that of the moment a call is sent', async () => {
    receiver.behaviour = answers(200);
    await service().submit(form, { name: 'Jane' });
    await change({ format: 'flat' });
    await service().sendDue();

    expect(receiver.last.body).toBe('{"name":"Jane"}');
  });

  it('is standard until it is changed, and changes neither what is enabled nor the form', async () => {
    expect((await owner.read(path())).webhook).toMatchObject({ format: 'standard', signature: 'standard' });

    await change({ enabled: false });
    expect(await change({ format: 'flat' })).toMatchObject({ format: 'flat', state: 'disabled' });
    expect(await change({ signature: 'none' })).toMatchObject({ format: 'flat', signature: 'none' });
    const { body: shown } = await owner.get(`/api/v1/forms/${form.identifier}`).expect(200);
    expect(JSON.stringify(shown)).not.toContain('"flat"');
  });

  it.each([
    [{ format: 'xml' }, 'webhook.format'],
    [{ format: null }, 'webhook.format'],
    [{ signature: 'md5' }, 'webhook.signature'],
  ])('refuses %j', async (webhook, field) => {
    await owner.patch(path(), { webhook }).expect(refusal(422, 'invalid_fields', field));
  });
});

describe('The signature of a webhook', () => {
  const hex = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');

  it('by Formspree and by Formward is the time and a digest with the secret as text', async () => {
    for (const [signature, textOf] of [
      ['formspree', (t: string, body: string) => `${t}.${body}`],
      ['formward', (t: string, body: string) => `v1:${t}:${body}`],
    ] as const) {
      const { secret } = await change({ signature });
      await deliver();
      const { headers, body } = receiver.last;
      const [, t = '', v1] =
        /^t=(\d+),v1=([0-9a-f]{64})$/.exec(
          headers[signature === 'formspree' ? 'formspree-signature' : 'x-formward-signature'] ?? '',
        ) ?? [];
      expect(v1).toBe(hex(secret, textOf(t, body)));
      expect(t).toBe(headers['webhook-timestamp']);
      expect(headers['webhook-signature']).toBeUndefined();
    }
  });

  it('by Netlify is a token that names the digest of the body', async () => {
    const { secret } = await change({ signature: 'netlify', format: 'netlify' });
    await deliver();
    const { headers, body } = receiver.last;
    const [head = '', payload = '', proof] = (headers['x-webhook-signature'] ?? '').split('.');
    const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, string>;
    expect(read(head)).toMatchObject({ alg: 'HS256' });
    expect(read(payload)).toEqual({ iss: 'netlify', sha256: createHash('sha256').update(body).digest('hex') });
    const hmac = createHmac('sha256', secret).update(`${head}.${payload}`);
    expect(proof).toBe(hmac.digest('base64url'));
  });

  it('is standard with every format, or none', async () => {
    const { secret } = await change({ format: 'basin-form' });
    await deliver();
    const { body, headers } = receiver.last;
    const parsed = new Webhook(secret);
    const at = new Date(Number(headers['webhook-timestamp']) * 1000);
    expect(headers['webhook-signature']).toBe(parsed.sign(headers['webhook-id'] ?? '', at, body));

    await change({ signature: 'none' });
    await deliver();
    const names = Object.keys(receiver.last.headers).filter((name) => name.includes('signature'));
    expect(names).toEqual([]);
    expect(receiver.last.headers['webhook-id']).toMatch(/^msg_/);
  });

  it('of others is by the new secret alone once it is renewed', async () => {
    await change({ signature: 'formspree' });
    const renewed = await owner.post(`${path()}/secret`).expect(201);
    const { secret, previous_secret_until: until } = hookIn(renewed);
    expect(until).toBeNull();
    await deliver();
    const { headers, body: sent } = receiver.last;
    const t = headers['webhook-timestamp'] ?? '';
    expect(headers['formspree-signature']).toBe(`t=${t},v1=${hex(secret, `${t}.${sent}`)}`);
  });
});

it('The page of a webhook shows and changes the format and the signature, with a sample', async () => {
  const jane = await service().makeBrowser(owner);
  const { headers } = await jane.get(`/forms/${form.identifier}/webhook`);
  const here = headers.location ?? '';
  const typed = { 'destination.settings.url': receiver.url };
  await jane.post(here, {
    ...typed,
    'destination.settings.format': 'web3forms',
    'destination.settings.signature': 'none',
  });
  const { text } = await jane.get(here);
  const chosen = elementsOf(text)
    .filter(({ attributes }) => 'selected' in attributes)
    .map(({ attributes }) => attributes.value);
  expect(chosen).toEqual(expect.arrayContaining(['web3forms', 'none']));
  expect(text).toContain('submittedAt');

  const refused = await jane.post(here, {
    ...typed,
    'destination.settings.format': 'xml',
    'destination.settings.signature': 'none',
  });
  expect(refused.status).toBe(422);
  expect((await owner.read(path())).webhook).toMatchObject({ format: 'web3forms', signature: 'none' });
});
