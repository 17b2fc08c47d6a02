import request from 'supertest';
import { Webhook } from 'standardwebhooks';
import { DAY_MS, HOUR_MS, SECOND_MS, useClock } from '../support/clock.js';
import { refusal } from '../support/refusal.js';
import { useService, useOwner, type FormBody } from '../support/service.js';
import { pathOf } from '../support/submissions.js';
import { useReceiver, answers, Trap, WebhookReceiver, type ReceivedCall } from '../support/webhook-receiver.js';

const service = useService({ WORKERS: 'off', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' });
const clock = useClock();
let form: FormBody;
const receiver = useReceiver();
const owner = useOwner(service);
beforeEach(async () => {
  form = await owner.makeForm({ webhook_url: receiver.url });
});
const hookPath = ({ identifier }: FormBody) => `/api/v1/forms/${identifier}/webhook` as const;
const shownHook = async (caller = owner) => (await caller.read(hookPath(form))).webhook;

/** Sends a submission and makes its call; returns the id of the submission. */
function deliver(values: object = { name: 'Jane' }): Promise<string> {
  return service().deliver(form, values);
}

/** Throws unless the call carries a signature of this secret. */
const verify = (secret: string | null, { body, headers }: ReceivedCall) =>
  new Webhook(secret ?? '').verify(body, headers);

describe('The payload of a call', () => {
  it('has exactly these keys, the values in the order they were sent', async () => {
    const id = await deliver({ zebra: '1', name: 'Jane', '10': 'ten', '2': 'two' });

    const { body, headers } = receiver.last;
    const payload = JSON.parse(body) as { timestamp: string };
    expect(payload).toEqual({
      type: 'submission.received',
      timestamp: expect.any(String),
      data: {
        form: { id: form.id, name: form.name, identifier: form.identifier },
        submission: {
          id,
          created_at: payload.timestamp,
          values: { zebra: '1', name: 'Jane', '10': 'ten', '2': 'two' },
          files: [],
          origin: null,
        },
      },
    });
    expect(new Date(payload.timestamp).toISOString()).toBe(payload.timestamp);
    expect(headers['content-type']).toBe('application/json');
    expect((await owner.read(`${pathOf(form)}/${id}`)).created_at).toBe(payload.timestamp);
  });

  it('keeps the order of values that JavaScript would sort', async () => {
    await request(service().url)
      .post(`/f/${form.identifier}`)
      .set('Accept', 'application/json')
      .send('zebra=1&10=ten&2=two&name=J%C3%A4ne')
      .expect(200);
    await service().sendDue();

    expect(receiver.last.body).toContain('"values":{"zebra":"1","10":"ten","2":"two","name":"Jäne"}');
  });

  it('links to files that open without a token', async () => {
    await service().submitFile(form, 'the content', { name: 'cv.pdf', type: 'application/pdf' });
    await service().sendDue();

    const { data } = JSON.parse(receiver.last.body) as { data: { submission: { files: { url: string }[] } } };
    const [file] = data.submission.files;
    expect(data.submission.files).toEqual([
      {
        id: expect.any(String),
        field: 'cv',
        name: 'cv.pdf',
        type: 'application/pdf',
        size: 11,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        url: expect.stringContaining(`${service().config.baseUrl}/files/`),
      },
    ]);
    const { pathname } = new URL(file?.url ?? '');
    const opened = await request(service().url).get(pathname).responseType('blob').expect(200);
    expect(String(opened.body)).toBe('the content');
  });
});

describe('The signature of a call (W-05)', () => {
  it('fails when any byte of the body, the id or the time is another', async () => {
    const { secret } = await shownHook();
    await deliver();
    const { last } = receiver;
    expect(verify(secret, last)).toEqual(JSON.parse(last.body));

    const bytes = Buffer.from(last.body);
    for (let i = 0; i < bytes.length; i++) {
      const flipped = Buffer.from(bytes);
      flipped.writeUInt8(bytes.readUInt8(i) ^ 1, i);
      expect(() => verify(secret, { ...last, body: flipped.toString() })).toThrow();
    }
    for (const name of ['webhook-id', 'webhook-timestamp']) {
      const headers = { ...last.headers, [name]: `${last.headers[name] ?? ''}1` };
      expect(() => verify(secret, { ...last, headers })).toThrow();
    }
  });

  it('is of another secret for another form', async () => {
    const { secret } = await shownHook();
    form = await owner.makeForm({ webhook_url: receiver.url });
    await deliver();

    expect(() => verify(secret, receiver.last)).toThrow();
  });

  it('keeps the id on every try and has a fresh time', async () => {
    receiver.behaviour = answers(500);
    await deliver();
    clock.forward(6 * SECOND_MS);
    await service().sendDue();

    const [first, second] = receiver.calls;
    expect(receiver.calls).toHaveLength(2);
    expect(first?.id).toMatch(/^[A-Za-z0-9_]+$/);
    expect(second?.id).toBe(first?.id);
    expect(second?.body).toBe(first?.body);
    const waited = Number(second?.headers['webhook-timestamp']) - Number(first?.headers['webhook-timestamp']);
    expect(waited).toBeGreaterThanOrEqual(5);
    expect(waited).toBeLessThan(30);
  });

  it('is made with both secrets for a day after a rotation, then with the new one alone', async () => {
    const { secret: former } = await shownHook();
    const { body } = await owner.post(`${hookPath(form)}/secret`).expect(201);
    const { secret } = body.webhook;
    expect(secret).not.toBe(former);

    await deliver();
    const overlapping = receiver.last;
    verify(former, overlapping);
    verify(secret, overlapping);
    const until = Date.parse((await shownHook()).previous_secret_until ?? '');
    expect(Math.abs(until - clock.now().getTime() - DAY_MS)).toBeLessThan(30 * SECOND_MS);

    clock.forward(DAY_MS);
    await deliver();
    const { id, headers, body: text } = receiver.last;
    // `verify` holds the time against the real clock; here it matters who signed.
    const at = new Date(Number(headers['webhook-timestamp']) * SECOND_MS);
    expect(headers['webhook-signature']).toBe(new Webhook(secret ?? '').sign(id, at, text));
    expect((await shownHook()).previous_secret_until).toBeNull();
  });
});

describe('The webhook in the API', () => {
  it('shows exactly these keys', async () => {
    const { body } = await owner.get(hookPath(form)).expect(200);

    expect(body).toEqual({
      webhook: {
        url: receiver.url,
        format: 'standard',
        signature: 'standard',
        state: 'enabled',
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
        previous_secret_until: null,
        failing_since: null,
        disabled_at: null,
        recent: [],
      },
    });
    expect(await shownHook()).toEqual(body.webhook);
  });

  it('is unset without a URL', async () => {
    form = await owner.makeForm();

    expect(await shownHook()).toMatchObject({ url: null, state: 'unset' });
    await owner.post(`${hookPath(form)}/test`).expect(refusal(422, 'webhook_not_set'));
  });

  it('lists the last ten deliveries that were settled, newest first', async () => {
    for (let i = 0; i < 11; i++) await service().submit(form, { i: String(i) });
    await service().sendDue();
    receiver.behaviour = answers(410);
    const id = await deliver();
    const { id: deliveryId } = await owner.webhookCallOf(form, id);

    const { recent } = await shownHook();
    expect(recent).toHaveLength(10);
    expect(recent.slice(0, 2)).toEqual([
      { delivery_id: deliveryId, state: 'failed', at: expect.any(String), outcome: 'gone', code: 410 },
      expect.objectContaining({ state: 'delivered', outcome: 'accepted', code: 200 }),
    ]);
  });

  it('can be switched off and on, and does not call while it is off', async () => {
    const { body } = await owner.patch(hookPath(form), { webhook: { enabled: false } }).expect(200);
    expect(body.webhook).toMatchObject({ state: 'disabled', disabled_at: expect.any(String) });
    const id = await deliver();
    expect(receiver.calls).toEqual([]);
    expect(await owner.webhookCallOf(form, id)).toMatchObject({ state: 'failed', attempts: [{ outcome: 'disabled' }] });

    await owner.patch(hookPath(form), { webhook: { enabled: true } }).expect(200);
    expect(await shownHook()).toMatchObject({ state: 'enabled', disabled_at: null });
    await deliver();
    expect(receiver.calls).toHaveLength(1);
  });

  it.each([
    [{}, ['webhook']],
    [{ webhook: null }, ['webhook']],
    [{ webhook: {} }, ['webhook.enabled']],
    [{ webhook: { enabled: 'perhaps' } }, ['webhook.enabled']],
    [{ webhook: { enabled: true, resend: 'x' } }, ['webhook.resend']],
    [{ webhook: { enabled: true, url: 'http://x' } }, ['webhook.url']],
  ])('refuses the change %j by name', async (change, fields) => {
    await owner.patch(hookPath(form), change).expect(refusal(422, 'invalid_fields', ...fields));
  });
});

describe('A test call', () => {
  it('sends a signed sample and answers what came back', async () => {
    receiver.behaviour = answers(202, 'thank you');

    expect((await owner.post(`${hookPath(form)}/test`).expect(200)).body).toEqual({
      result: 'delivered',
      outcome: 'accepted',
      code: 202,
      answer: 'thank you',
      duration_ms: expect.any(Number),
    });

    const { secret } = await shownHook();
    expect(verify(secret, receiver.last)).toMatchObject({
      type: 'submission.received',
      data: {
        form: { identifier: form.identifier },
        submission: { values: { name: 'Jane Doe' }, files: [], origin: null },
      },
    });
  });

  it('tells of a refusal and of a receiver that is not there', async () => {
    receiver.behaviour = answers(503, 'no '.repeat(2_000));
    expect((await owner.post(`${hookPath(form)}/test`).expect(200)).body).toEqual({
      result: 'deferred',
      outcome: 'refused',
      code: 503,
      answer: 'no '.repeat(2_000).slice(0, 1024),
      duration_ms: expect.any(Number),
    });

    const gone = await WebhookReceiver.start();
    form = await owner.makeForm({ webhook_url: gone.url });
    await gone.close();
    expect((await owner.post(`${hookPath(form)}/test`).expect(200)).body).toEqual({
      result: 'deferred',
      outcome: 'unreachable',
      code: null,
      answer: 'ECONNREFUSED',
      duration_ms: expect.any(Number),
    });
  });

  it('leaves no trace: no submission, no delivery, no failing', async () => {
    receiver.behaviour = answers(500);
    const before = await shownHook();
    await owner.post(`${hookPath(form)}/test`).expect(200);

    expect(await shownHook()).toEqual(before);
    expect((await owner.read(pathOf(form))).submissions).toEqual([]);
  });
});

describe('The calls of a webhook in the API', () => {
  const callsPath = (query = '') => `${hookPath(form)}/calls?${query}` as const;
  const callsOf = async (query?: string) => owner.read(callsPath(query));

  it('are listed with their last try and the next one, exactly these keys', async () => {
    receiver.behaviour = answers(503, 'later');
    const id = await deliver();
    clock.forward(6 * SECOND_MS);
    await service().sendDue();
    const call = await owner.webhookCallOf(form, id);

    expect(await callsOf()).toEqual({
      calls: [
        {
          delivery_id: call.id,
          submission_id: id,
          url: receiver.url,
          state: 'pending',
          created_at: expect.any(String),
          tries: 2,
          last_try: call.attempts[1],
          next_attempt_at: call.next_attempt_at,
        },
      ],
      next_page: null,
    });
  });

  it('can be listed by their state; what waits is there before its first try', async () => {
    const delivered = await deliver();
    receiver.behaviour = answers(410);
    const failed = await deliver();
    const waiting = await service().submit(form, { name: 'Jane' });
    const listed = async (query: string) => (await callsOf(query)).calls.map(({ submission_id }) => submission_id);

    expect(await listed('state=delivered')).toEqual([delivered]);
    expect(await listed('state=failed')).toEqual([failed]);
    expect(await listed('state=pending')).toEqual([waiting]);
    expect(await listed('')).toEqual([waiting, failed, delivered]);
    expect((await callsOf('state=pending')).calls[0]).toMatchObject({ tries: 0, last_try: null });
    await owner.get(callsPath('state=lost')).expect(refusal(422, 'invalid_fields', 'state'));
    await owner.get(callsPath('before=x')).expect(refusal(422, 'invalid_fields', 'before'));
  });

  it('are paged without a gap, in every state', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 40; n++) ids.push(await service().submit(form, { n: String(n) }));
    receiver.behaviour = (response) => response.writeHead(receiver.calls.length % 2 === 0 ? 200 : 410).end();
    await service().sendDue();
    for (let n = 0; n < 20; n++) ids.push(await service().submit(form, { n: String(n) }));

    const found: (string | null)[] = [];
    const sizes: number[] = [];
    for (let query: string | undefined = ''; query !== undefined;) {
      const { calls, next_page: page }: Awaited<ReturnType<typeof callsOf>> = await callsOf(query);
      found.push(...calls.map(({ submission_id }) => submission_id));
      sizes.push(calls.length);
      query = page?.split('?')[1];
    }

    expect(found).toEqual(ids.reverse());
    expect(sizes).toEqual([25, 25, 10]);
  });
});

describe('The answer to a call', () => {
  it.each([
    ...[200, 201, 202, 204, 299].map((code) => [code, 'delivered', 'accepted'] as const),
    ...[304, 400, 401, 404, 429, 500, 503].map((code) => [code, 'pending', 'refused'] as const),
  ])('with status %i leaves it %s', async (code, state, outcome) => {
    receiver.behaviour = answers(code);
    const call = await owner.webhookCallOf(form, await deliver());

    expect(call).toMatchObject({ state, attempts: [{ trigger: 'scheduled', outcome, code }] });
    expect(call.next_attempt_at !== null).toBe(state === 'pending');
  });

  it('with status 410 ends the tries (W-06)', async () => {
    receiver.behaviour = answers(410, 'moved out');
    const id = await deliver();
    clock.forward(5 * DAY_MS);
    await service().sendDue();

    expect(receiver.calls).toHaveLength(1);
    expect(await owner.webhookCallOf(form, id)).toMatchObject({
      state: 'failed',
      next_attempt_at: null,
      attempts: [{ outcome: 'gone', code: 410, answer: 'moved out' }],
    });
  });

  it.each([301, 302, 303, 307, 308])(
    'that redirects by %i is a failure, and nobody goes there (W-03)',
    async (status) => {
      const trap = await Trap.set('127.0.0.1');
      const location = `http://127.0.0.1:${trap.port}/`;
      receiver.behaviour = answers(status, '', { location });
      const id = await deliver();
      const { body } = await owner.post(`${hookPath(form)}/test`).expect(200);
      await trap.close();

      expect(trap.connections).toBe(0);
      const answer = `${status}, moved to ${location}`;
      expect(body).toMatchObject({ result: 'deferred', outcome: 'refused', code: status, answer });
      expect(await owner.webhookCallOf(form, id)).toMatchObject({
        state: 'pending',
        attempts: [{ outcome: 'refused', code: status, answer }],
      });
    },
  );

  it('is kept up to 1 kB, in its own words', async () => {
    receiver.behaviour = answers(500, `<b>Größe</b>${'x'.repeat(5_000)}`);
    const id = await deliver();

    const answer = (await owner.webhookCallOf(form, id)).attempts[0]?.answer ?? '';
    expect(answer.startsWith('<b>Größe</b>xxx')).toBe(true);
    expect(Buffer.byteLength(answer)).toBe(1024);
  });

  it.each([
    ['a date', () => new Date(Date.now() + 2 * HOUR_MS).toUTCString(), 2 * HOUR_MS],
    ['a week of seconds', () => String(7 * 86_400), DAY_MS],
    ['nonsense', () => 'soon', 5 * SECOND_MS],
    ['less than the schedule', () => '1', 5 * SECOND_MS],
  ])('may ask for patience by %s, up to a day', async (_, header, wait) => {
    receiver.behaviour = answers(503, '', { 'retry-after': header() });
    const id = await deliver();

    const { next_attempt_at: next } = await owner.webhookCallOf(form, id);
    const left = Date.parse(next ?? '') - Date.now();
    expect(left).toBeGreaterThan(wait - 20 * SECOND_MS);
    expect(left).toBeLessThan(wait + 5 * SECOND_MS);
  });
});

describe('A call during which somebody says what it is of', () => {
  const mark = async (id: string, spam: boolean) => {
    await owner.patch(`${pathOf(form)}/${id}`, { submission: { spam } }).expect(200);
  };

  it('is not made again when that is spam, until that is taken back', async () => {
    let id = '';
    receiver.behaviour = (response) => {
      void mark(id, true).then(() => response.writeHead(500).end());
    };
    id = await service().submit(form, { name: 'Jane' });
    await service().sendDue();
    for (const hours of [1, 80]) {
      clock.forward(hours * HOUR_MS);
      await service().sendDue();
    }
    expect(receiver.calls).toHaveLength(1);

    receiver.behaviour = answers(200);
    await mark(id, false);
    await service().sendDue();
    expect(receiver.calls).toHaveLength(2);
  });

  it('is made again when it was spam and is no more', async () => {
    let id = '';
    receiver.behaviour = (response) => {
      void mark(id, true)
        .then(() => mark(id, false))
        .then(() => response.writeHead(500).end());
    };
    id = await service().submit(form, { name: 'Jane' });
    await service().sendDue();
    receiver.behaviour = answers(200);
    clock.forward(HOUR_MS);
    await service().sendDue();
    expect(receiver.calls).toHaveLength(2);
  });
});
