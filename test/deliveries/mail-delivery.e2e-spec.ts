import { CallTimeouts } from '../../src/deliveries/queue/call-timeouts.js';
import { TaskRunner } from '../../src/platform/background/tasks.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, useStoppedClock } from '../support/clock.js';
import { deliveriesPath, type DeliveryBody } from '../support/deliveries.js';
import { refusal } from '../support/refusal.js';
import { useService, useOwner, type FormBody } from '../support/service.js';
import { useMailServer, type Answer } from '../support/smtp.js';
import { until } from '../support/until.js';

const GREYLISTED: Answer = { at: 'recipient', code: 451, text: '4.7.1 Greylisted, come back' };
const UNKNOWN: Answer = { at: 'recipient', code: 550, text: '5.1.1 No such user here' };
/** Schedule of the tries after the first, and how much later each may come. */
const HOURS = [2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS);
const WAITS = [5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, ...HOURS];
const JITTER = 1.1;
/** Shortened time of an attempt. */
const SHORT_MS = 200;

const server = useMailServer();
const service = useService(() => ({ WORKERS: 'off', SMTP_URL: server.url, DELIVERY_LOG_DAYS: '7' }));
const clock = useStoppedClock();
let address: string;
let form: FormBody;
let made = 0;
const owner = useOwner(service);
beforeEach(async () => {
  address = `owner${++made}@example.com`;
  form = await owner.makeForm({ notify_owner_emails: address });
});

/** A submission whose mail has been tried once. */
function submitAndSend(): Promise<string> {
  return service().deliver(form);
}

const show = (id: string): Promise<DeliveryBody> => owner.deliveryOf(form, id);

describe('A mail that the server takes', () => {
  it("is delivered, with the server's words in the attempt", async () => {
    const id = await submitAndSend();

    expect(await show(id)).toEqual({
      id: expect.any(String),
      kind: 'owner_email',
      recipient: address,
      destination: null,
      state: 'delivered',
      next_attempt_at: null,
      attempts: [
        {
          at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          duration_ms: expect.any(Number),
          trigger: 'scheduled',
          outcome: 'accepted',
          code: 250,
          answer: expect.stringMatching(/^250 OK: queued as \d+$/),
        },
      ],
    });
    expect(server.to(address)).toHaveLength(1);
  });

  it('is not sent again, however often one looks for what is due', async () => {
    await submitAndSend();
    clock.forward(30 * DAY_MS);
    await service().sendDue();

    expect(server.to(address)).toHaveLength(1);
  });

  it('comes over the connection that the one before came over', async () => {
    await server.hangUp();
    for (let count = 0; count < 3; count++) await submitAndSend();

    expect(new Set(server.to(address).map(({ connection }) => connection)).size).toBe(1);
  });

  it('keeps only the beginning of a long answer', async () => {
    server.answer = () => ({ ...GREYLISTED, text: 'x'.repeat(5_000) });
    const id = await submitAndSend();

    expect((await show(id)).attempts[0]?.answer).toHaveLength(1024);
  });
});

describe('A mail that the server puts off or refuses', () => {
  it.each([
    ['connect', 451, 'pending', 'deferred'],
    ['sender', 451, 'pending', 'deferred'],
    ['recipient', 451, 'pending', 'deferred'],
    ['data', 451, 'pending', 'deferred'],
    // It refuses us rather than the mail.
    ['connect', 554, 'pending', 'deferred'],
    ['sender', 530, 'pending', 'deferred'],
    ['recipient', 554, 'failed', 'refused'],
    ['data', 554, 'failed', 'refused'],
  ] as const)('at %s with %i is %s', async (at, code, state, outcome) => {
    await server.hangUp();
    server.answer = () => ({ at, code, text: 'Not now' });
    const first = await show(await submitAndSend());

    const answer = expect.stringContaining('Not now') as unknown;
    expect(first).toMatchObject({ state, attempts: [{ outcome, code, answer }] });
    expect(first.next_attempt_at === null).toBe(state === 'failed');
  });

  it('is tried again at its time, and not before, until it is delivered', async () => {
    server.answer = () => GREYLISTED;
    const id = await submitAndSend();
    for (const [index, wait] of WAITS.entries()) {
      const { state, next_attempt_at, attempts } = await show(id);
      expect(state).toBe('pending');
      expect(attempts).toHaveLength(index + 1);
      const waited = Date.parse(next_attempt_at ?? '') - Date.parse(attempts.at(-1)?.at ?? '');
      expect(waited).toBeGreaterThanOrEqual(wait);
      expect(waited).toBeLessThanOrEqual(wait * JITTER);

      clock.forward(waited - 1);
      await service().sendDue();
      expect((await show(id)).attempts).toHaveLength(index + 1);
      clock.forwardTo(next_attempt_at);
      if (index === WAITS.length - 1) server.answer = () => 'accept';
      await service().sendDue();
    }

    const { state, attempts } = await show(id);
    expect(state).toBe('delivered');
    expect(attempts.map(({ outcome }) => outcome)).toEqual([...WAITS.map(() => 'deferred'), 'accepted']);
    expect(attempts.map(({ at }) => at)).toEqual(attempts.map(({ at }) => at).sort());
  });

  it('is given up after ten tries, and begins anew when it is asked for', async () => {
    server.answer = () => GREYLISTED;
    const id = await submitAndSend();
    for (let tries = 1; tries < 10; tries++) {
      clock.forwardTo((await show(id)).next_attempt_at);
      await service().sendDue();
    }

    const { state, next_attempt_at, attempts } = await show(id);
    expect({ state, next_attempt_at }).toEqual({ state: 'failed', next_attempt_at: null });
    expect(attempts).toHaveLength(10);
    clock.forward(30 * DAY_MS);
    await service().sendDue();
    expect((await show(id)).attempts).toHaveLength(10);

    await owner.post(`/api/v1/forms/${form.identifier}/redeliveries`, {}).expect(200);
    await service().sendDue();
    const again = await show(id);
    expect({ state: again.state, tries: again.attempts.length }).toEqual({ state: 'pending', tries: 11 });
    const waits = Date.parse(again.next_attempt_at ?? '') - clock.now().getTime();
    expect(waits).toBeLessThanOrEqual(5 * SECOND_MS * JITTER);
  });
});

it('A mail that the server refuses does not keep the next mail back', async () => {
  server.answer = () => UNKNOWN;
  await submitAndSend();
  server.answer = () => 'accept';
  const id = await submitAndSend();

  expect((await show(id)).state).toBe('delivered');
});

it('A server that hangs up after it has read the mail gets it again under the same Message-ID', async () => {
  server.answer = () => 'drop';
  const id = await submitAndSend();
  const first = await show(id);
  expect(first.state).toBe('pending');
  expect(first.attempts).toEqual([expect.objectContaining({ outcome: 'unreachable', code: null })]);

  server.answer = () => 'accept';
  clock.forwardTo(first.next_attempt_at);
  await service().sendDue();

  expect((await show(id)).state).toBe('delivered');
  const ids = server.to(address).map(({ mail }) => mail.messageId);
  expect(ids).toEqual([ids[0], ids[0]]);
  expect(ids[0]).toContain(first.id);
});

it('A server that takes longer than a try may is hung up on, and gets the mail with the next try, once', async () => {
  const usual = jest.replaceProperty(service().app.get(CallTimeouts), 'callMaxMs', SHORT_MS);
  await server.hangUp();
  server.answer = () => 'hang';
  const id = await submitAndSend();
  const first = await show(id);
  expect(first.state).toBe('pending');
  expect(first.attempts).toEqual([
    expect.objectContaining({ outcome: 'timed_out', code: null, answer: expect.any(String) }),
  ]);
  await until(() => server.connections === 0);

  usual.restore();
  server.answer = () => 'accept';
  clock.forwardTo(first.next_attempt_at);
  await service().sendDue();

  expect((await show(id)).state).toBe('delivered');
  expect(server.to(address)).toHaveLength(1);
});

it('A server that is down for an hour gets every mail once it is back', async () => {
  await server.stop();
  const ids = [];
  for (let count = 0; count < 12; count++) ids.push(await service().submit(form));
  for (let minute = 0; minute < 60; minute += 5) {
    await service().sendDue();
    clock.forward(5 * MINUTE_MS);
  }
  const tries = (await Promise.all(ids.map(show))).flatMap(({ attempts }) => attempts);
  expect(tries.length).toBeGreaterThan(12);
  const due = await Promise.all(ids.map(async (id) => (await show(id)).next_attempt_at));
  expect(new Set(due).size).toBeGreaterThan(1);
  for (const attempt of tries) {
    expect(attempt).toMatchObject({
      outcome: 'unreachable',
      code: null,
      answer: expect.stringContaining('ECONNREFUSED'),
    });
  }

  await server.start();
  for (let minute = 0; minute < 180; minute += 5) {
    clock.forward(5 * MINUTE_MS);
    await service().sendDue();
  }

  for (const id of ids) expect((await show(id)).state).toBe('delivered');
  const received = server.to(address).map(({ mail }) => mail.messageId);
  expect(new Set(received).size).toBe(12);
  expect(received).toHaveLength(12);
});

describe('A try by hand', () => {
  const tryNow = async (id: string) => owner.post(`${deliveriesPath(form, id)}/${(await show(id)).id}/attempts`);

  it('delivers what was given up, and answers the delivery with all tries, newest last', async () => {
    server.answer = () => UNKNOWN;
    const id = await submitAndSend();
    server.answer = () => 'accept';
    clock.forward(DAY_MS);

    const { status, body } = await tryNow(id);

    expect(status).toBe(200);
    expect(body).toMatchObject({ state: 'delivered', next_attempt_at: null });
    const tries = (body as DeliveryBody).attempts.map(({ trigger, outcome }) => [trigger, outcome]);
    expect(tries).toEqual([
      ['scheduled', 'refused'],
      ['manual', 'accepted'],
    ]);
    expect(body).toEqual(await show(id));
  });

  it('takes no try of the schedule away', async () => {
    server.answer = () => GREYLISTED;
    const id = await submitAndSend();
    for (let count = 0; count < 10; count++) await tryNow(id);

    const { state, next_attempt_at, attempts } = await show(id);
    expect(state).toBe('pending');
    expect(attempts).toHaveLength(11);
    const waits = Date.parse(next_attempt_at ?? '') - Date.parse(attempts.at(-1)?.at ?? '');
    expect(waits).toBeLessThanOrEqual(5 * SECOND_MS * JITTER);
  });

  it('is refused while another is under way, which goes on alone', async () => {
    const id = await service().submit(form);
    const path = `${deliveriesPath(form, id)}/${(await show(id)).id}/attempts`;
    server.answer = () => 'hang';
    const paying = service().sendDue();
    await serverIsAsked();

    expect((await show(id)).state).toBe('delivering');
    await owner.post(path).expect(refusal(409, 'delivery_under_way'));

    server.answer = () => 'accept';
    await server.stop();
    await server.start();
    await paying;
    expect((await show(id)).attempts).toHaveLength(1);
  });
});

/** Resolves when the server has read a mail that it hangs on. */
async function serverIsAsked(): Promise<void> {
  const hanging = server.answer;
  await new Promise<void>((resolve) => {
    server.answer = (to) => {
      if (to !== '') setImmediate(resolve);
      return hanging(to);
    };
  });
}

describe('Sending again what was given up', () => {
  const path = () => `/api/v1/forms/${form.identifier}/redeliveries` as const;

  /** Three submissions with a mail that was given up, in one form. */
  async function giveUpThree(): Promise<string[]> {
    server.answer = () => UNKNOWN;
    const ids = [await submitAndSend(), await submitAndSend(), await submitAndSend()];
    server.answer = () => 'accept';
    return ids;
  }

  it('answers how many there are, and starts their schedule anew', async () => {
    const ids = await giveUpThree();
    await submitAndSend();

    await owner.post(path(), { kind: 'owner_email', state: 'failed' }).expect(200, { redelivered: 3 });
    await service().sendDue();

    for (const id of ids) expect((await show(id)).state).toBe('delivered');
    expect(server.to(address)).toHaveLength(4);
    await owner.post(path(), { kind: 'owner_email' }).expect(200, { redelivered: 0 });
  });

  it('leaves other kinds and other forms alone', async () => {
    const ids = await giveUpThree();
    const other = await owner.makeForm();

    await owner.post(path(), { kind: 'webhook' }).expect(200, { redelivered: 0 });
    await owner.post(`/api/v1/forms/${other.identifier}/redeliveries`, {}).expect(200, { redelivered: 0 });
    for (const id of ids) expect((await show(id)).state).toBe('failed');
  });

  it('takes only deliveries created between from and to', async () => {
    await giveUpThree();
    const soon = new Date(Date.now() + HOUR_MS).toISOString();
    const before = new Date(Date.now() - HOUR_MS).toISOString();

    await owner.post(path(), { from: soon }).expect(200, { redelivered: 0 });
    await owner.post(path(), { to: before }).expect(200, { redelivered: 0 });
    await owner.post(path(), { from: before, to: soon }).expect(200, { redelivered: 3 });
  });

  it.each([
    [{ kind: 'owner_notice' }, 'kind'],
    [{ kind: 'pigeon' }, 'kind'],
    [{ state: 'delivered' }, 'state'],
    [{ from: 'yesterday' }, 'from'],
    [{ from: '2030-W05-1' }, 'from'],
    [{ to: '2030-13-01' }, 'to'],
    [{ to: '2030-01-01T12:00:00' }, 'to'],
    [{ other: 1 }, 'other'],
  ])('refuses %j by name', async (body, field) => {
    await owner.post(path(), body).expect(refusal(422, 'invalid_fields', field));
  });
});

it('Forgetting what was given up answers how many there were; what was delivered and the submissions stay', async () => {
  server.answer = () => UNKNOWN;
  const failed = await submitAndSend();
  server.answer = () => 'accept';
  const delivered = await submitAndSend();

  await owner.delete(`/api/v1/forms/${form.identifier}/deliveries?state=failed`).expect(200, { discarded: 1 });

  expect(await owner.deliveriesOf(form, failed)).toEqual([]);
  expect((await show(delivered)).state).toBe('delivered');
  await owner.delete(`/api/v1/forms/${form.identifier}/deliveries`).expect({ discarded: 0 });
});

it('The delivery log forgets what was delivered after DELIVERY_LOG_DAYS, and keeps what was given up', async () => {
  server.answer = () => UNKNOWN;
  const failed = await submitAndSend();
  server.answer = () => 'accept';
  const delivered = await submitAndSend();
  const upkeep = service().app.get(TaskRunner);
  const settled = Date.parse((await show(delivered)).attempts[0]?.at ?? '');

  await upkeep.runAll(new Date(settled + 7 * DAY_MS));
  expect((await show(delivered)).state).toBe('delivered');
  await upkeep.runAll(new Date(settled + 7 * DAY_MS + 1));

  expect(await owner.deliveriesOf(form, delivered)).toEqual([]);
  expect((await show(failed)).attempts).toHaveLength(1);
});
