import { Webhook } from 'standardwebhooks';
import { DAY_MS, useClock } from '../support/clock.js';
import { addDestination, sendAndDeliver, TAKEN } from '../support/destinations.js';
import type { ProblemBody } from '../support/refusal.js';
import { useService, useOwner, useForm } from '../support/service.js';
import { useReceiver, answers } from '../support/webhook-receiver.js';

const service = useService({
  WORKERS: 'off',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32',
  MAX_FIELD_VALUE_BYTES: '1000000',
});
const clock = useClock();
const receiver = useReceiver();
const owner = useOwner(service);
const form = useForm(owner, { name: '"Contact"\n', notify_owner_on_submission: false });
const add = (more?: object) => addDestination(owner, form, 'webhook', receiver, more);
const sent = (values?: object) => sendAndDeliver(service(), owner, form, values);

const VALUES = {
  message: 'Many "words" \\ '.repeat(55_000),
  'a\u0001\n': '😀\u0001 مرحبا',
  empty: '',
  ...Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`field_${i}`, `Value ${i}`])),
};

describe('A webhook as a destination', () => {
  it.each(['standard', 'basin-form'])('sends the format %s, signed with the secret shown once', async (format) => {
    const { settings } = await add({ format });
    expect(await sent(VALUES)).toMatchObject(TAKEN);

    const { headers, body } = receiver.last;
    const read = () => new Webhook(settings.secret ?? '').verify(body, headers);
    if (headers['content-type']?.includes('json')) expect(read()).toEqual(JSON.parse(body));
    else expect(new URLSearchParams(body).get('message')).toBe(VALUES.message);
    expect(body.includes('Value 299') || body.includes('Value+299')).toBe(true);
  });

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
    await service().sendDue();
    expect(receiver.last.body).toBe(body);
  });

  it('gets a new secret, which signs beside the former one for a day', async () => {
    const { id, settings } = await add();
    const at = `/api/v1/forms/${form.identifier}/destinations/${id}/secret` as const;
    const { token } = await owner.makeToken({ rights: ['forms:write'] });
    await service().as(token).post(at).expect(403);
    const renewed = (await owner.post(at).expect(200)).body.destination;
    const { secret = '' } = renewed.settings as { secret?: string };
    expect(secret).not.toBe(settings.secret);
    expect((await owner.read(at.replace('/secret', ''))).destination.settings.secret).not.toBe(secret);

    await sent();
    const { body, headers } = receiver.last;
    for (const each of [secret, settings.secret ?? '']) new Webhook(each).verify(body, headers);
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(2);
    clock.forward(DAY_MS + 1);
    await sent();
    expect(receiver.last.headers['webhook-signature']?.split(' ')).toHaveLength(1);
  });

  it('sends a body by a template of its owner', async () => {
    const template = '{"from": {{ fields.email | json }}{% if fields.topic %}, "about": 1{% endif %}}';
    const { settings } = await add({ format: 'template', template });
    expect(await sent({ email: 'ann"@example.com', constructor: 'x' })).toMatchObject(TAKEN);
    const { body, headers } = receiver.last;
    expect(body).toBe('{"from": "ann\\"@example.com"}');
    expect(headers['content-type']).toBe('application/json');
    expect(new Webhook(settings.secret ?? '').verify(body, headers)).toEqual(JSON.parse(body));
  });

  it('fails with the reason where its template makes too much', async () => {
    await add({ format: 'template', template: '{% for i in (1..900000) %}{{ fields }}{% endfor %}' });
    expect(await sent()).toMatchObject({
      ...{ state: 'failed', outcome: 'not_possible' },
      answer: expect.stringContaining('The template fails:') as unknown,
    });
    expect(receiver.calls).toEqual([]);
  });

  it.each([
    [{ format: 'template' }, 'settings.template'],
    [{ format: 'template', template: '{% if %}' }, 'settings.template'],
    [{ format: 'template', template: '{% include "a" %}' }, 'settings.template'],
  ])('is not saved with a template that is none: %j', async (more, field) => {
    const destination = { name: 'A', kind: 'webhook', settings: { url: receiver.url, ...more } };
    const path = `/api/v1/forms/${form.identifier}/destinations` as const;
    const { body } = await owner.post(path, { destination }).expect(422);
    expect(body).toMatchObject({ errors: [{ field: `destination.${field}` }] });
  });

  it('takes no header that would break the call', async () => {
    const destination = {
      ...{ name: 'A', kind: 'webhook' },
      settings: { url: receiver.url, authorization: 'Bearer a\r\nX-Evil: 1' },
    };
    await owner.post(`/api/v1/forms/${form.identifier}/destinations`, { destination }).expect(422);
  });
});

describe('An address with a user and a password', () => {
  /** Returns the address of the receiver with a login. */
  const withLogin = (login: string, path = '/in') => `http://${login}@127.0.0.1:${receiver.port}${path}`;
  const basic = (login: string) => `Basic ${Buffer.from(login).toString('base64')}`;
  const here = () => `/api/v1/forms/${form.identifier}/destinations` as const;
  const change = (id: string, settings: object) => owner.patch(`${here()}/${id}`, { destination: { settings } });

  it.each([
    ['ann:s%40fe', 'ann:s@fe'],
    ['ann:s@fe', 'ann:s@fe'],
    ['ann', 'ann:'],
    [':key', ':key'],
    ['ann:a:b', 'ann:a:b'],
    ['J%C3%B6rg:%E2%82%AC%20%2F', 'Jörg:€ /'],
  ])('is sent as a header, %s as %s', async (login, sentAs) => {
    await add({ url: withLogin(login), format: 'flat' });

    expect(await sent()).toMatchObject(TAKEN);
    expect(receiver.last.headers.authorization).toBe(basic(sentAs));
    expect(receiver.last.path).toBe('/in');
  });

  it.each(['plain', 'slack', 'discord'])('is sent by the kind %s too', async (kind) => {
    await addDestination(owner, form, kind, receiver, { url: withLogin('ann:s%40fe') });
    await sent();

    expect(receiver.last.headers.authorization).toBe(basic('ann:s@fe'));
  });

  it('is less than the header that its owner sets', async () => {
    await add({ url: withLogin('ann:s%40fe'), authorization: 'Bearer key_1' });
    await sent();

    expect(receiver.last.headers.authorization).toBe('Bearer key_1');
  });

  it('is never shown again, also not by an answer that repeats it', async () => {
    // What is sealed is base64, which never has these by chance.
    const told = /ann-lee|s%40fe|s@fe|YW5uLWxlZTpzQGZl/;
    const url = withLogin('ann-lee:s%40fe');
    const { id, settings } = await add({ url });
    receiver.behaviour = answers(500, `ann-lee:s%40fe ${basic('ann-lee:s@fe')} s@fe at ${url} in`);
    await sent();

    expect(settings.url).toBe(`http://127.0.0.1:${receiver.port}/in`);
    const texts = await Promise.all(
      [here(), `${here()}/${id}`, `${here()}/${id}/deliveries`].map(async (path) =>
        JSON.stringify((await owner.get(path).expect(200)).body),
      ),
    );
    const { body } = await owner.post(`${here()}/${id}/test`);
    for (const text of [...texts, JSON.stringify(body)]) {
      expect(text).not.toMatch(told);
    }
    expect(JSON.stringify(body)).toContain('/in in');
    const rows = await service().query<{ settings: string }[]>('SELECT settings, sealed FROM destinations');
    expect(JSON.stringify(rows)).not.toMatch(told);
  });

  it('stays where the address is sent back as it was shown, or leads to the same origin', async () => {
    const { id, settings } = await add({ url: withLogin('ann:s%40fe') });
    await change(id, { url: settings.url }).expect(200);
    await sent();
    expect(receiver.last.headers.authorization).toBe(basic('ann:s@fe'));

    await change(id, { url: `http://127.0.0.1:${receiver.port}/other` }).expect(200);
    await sent();
    expect(receiver.last.headers.authorization).toBe(basic('ann:s@fe'));
    expect(receiver.last.path).toBe('/other');
  });

  it('goes with another origin, or by an empty one', async () => {
    const { id } = await add({ url: withLogin('ann:s%40fe') });
    await change(id, { url: withLogin('') }).expect(200);
    await sent();
    expect(receiver.last.headers).not.toHaveProperty('authorization');

    await change(id, { url: withLogin('bob:x') }).expect(200);
    await change(id, { url: 'http://127.0.0.1:1/in' }).expect(200);
    await change(id, { url: `http://127.0.0.1:${receiver.port}/in` }).expect(200);
    await sent();
    expect(receiver.last.headers).not.toHaveProperty('authorization');
  });

  it.each([
    ['a%3Ab:c', 'must have a user without a colon'],
    ['ann:100%', 'must have user and password percent-encoded, such as s%40fe for s@fe'],
    ['ann:%00', 'must have user and password percent-encoded, such as s%40fe for s@fe'],
  ])('is refused where it cannot be sent: %s', async (login, message) => {
    const destination = { name: 'n8n', kind: 'webhook', settings: { url: withLogin(login) } };
    const { body } = await owner.post(here(), { destination }).expect(422);
    const [problem] = (body as unknown as ProblemBody).errors ?? [];
    expect(problem?.field).toBe('destination.settings.url');
    expect(problem?.message).toContain(message);
  });
});
