import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { FORMAT_NAMES } from '../src/webhooks/formats/formats.js';
import { useClock } from './support/clock.js';
import { sendDue } from './support/deliveries.js';
import { addDestination, lastAttempt, sendAndDeliver, TAKEN } from './support/destinations.js';
import { makeForm, type FormBody } from './support/make.js';
import { useService, type Caller } from './support/service.js';
import { submit } from './support/submissions.js';
import { answers, WebhookReceiver } from './support/webhook-receiver.js';

const service = useService({
  WORKERS: 'off',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32',
  MAX_FIELD_VALUE_BYTES: '1000000',
});
const clock = useClock();

let receiver: WebhookReceiver;
let owner: Caller;
let form: FormBody;
beforeEach(async () => {
  receiver = await WebhookReceiver.start();
  owner = await service().openAccount();
  form = await makeForm(owner, { name: '"Contact"\n', notify_owner_on_submission: false });
});
afterEach(async () => {
  await receiver.close();
});

const add = (more?: object) => addDestination(owner, form, 'webhook', receiver, more);
const sent = (values?: object) => sendAndDeliver(service(), owner, form, values);

const VALUES = {
  message: 'Many "words" \\ '.repeat(55_000),
  'a\u0001\n': '😀\u0001 مرحبا',
  empty: '',
  ...Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`field_${i}`, `Value ${i}`])),
};

describe('A webhook as a destination', () => {
  it.each(FORMAT_NAMES)(
    'sends the format %s, signed with the secret shown once',
    async (format) => {
      const { settings } = await add({ format });
      expect(await sent(VALUES)).toMatchObject(TAKEN);

      const { headers, body } = receiver.last;
      const read = () => new Webhook(settings.secret ?? '').verify(body, headers);
      if (headers['content-type']?.includes('json')) expect(read()).toEqual(JSON.parse(body));
      else expect(new URLSearchParams(body).get('message')).toBe(VALUES.message);
      expect(body.includes('Value 299') || body.includes('Value+299')).toBe(true);
    },
  );

  it('signs with a secret of its owner, and has the header that they set', async () => {
    const secret = `whsec_${Buffer.alloc(24, 'k').toString('base64')}`;
    await add({ secret, authorization: 'Bearer key_1' });
    await sent();

    expect(receiver.last.headers.authorization).toBe('Bearer key_1');
    const { body, headers } = receiver.last;
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    const other = `whsec_${Buffer.alloc(24, 'x').toString('base64')}`;
    expect(() => new Webhook(other).verify(body, headers)).toThrow('No matching signature');
  });

  it('keeps all digits of a number', async () => {
    await add({ format: 'flat' });
    const body = '{"n":12345678901234567890}';
    const headers = { accept: 'application/json', 'content-type': 'application/json' };
    await fetch(`${service().url}/f/${form.identifier}`, { method: 'POST', headers, body });
    await sendDue(service());
    expect(receiver.last.body).toBe(body);
  });

  it('has the same id on every attempt', async () => {
    await add();
    receiver.behaviour = answers(500);
    const id = await submit(service(), form);
    await sendDue(service());
    receiver.behaviour = answers(200);
    clock.forwardTo((await lastAttempt(owner, form, id)).next);
    await sendDue(service());

    expect(receiver.calls).toHaveLength(2);
    expect(new Set(receiver.calls.map((call) => call.id)).size).toBe(1);
  });

  it('takes no header that would break the call', async () => {
    const destination = {
      ...{ name: 'A', kind: 'webhook' },
      settings: { url: receiver.url, authorization: 'Bearer a\r\nX-Evil: 1' },
    };
    await owner.post(`/api/v1/forms/${form.identifier}/destinations`, { destination }).expect(422);
  });
});
