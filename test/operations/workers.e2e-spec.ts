import { createDatabase, type TestDatabase } from '../support/database.js';
import { deliveryOf, endLeases, sendDue } from '../support/deliveries.js';
import { Delivery } from '../../src/deliveries/model/delivery.entity.js';
import { Clock } from '../../src/platform/kernel/time/clock.js';
import { HOUR_MS, SECOND_MS, TestClock } from '../support/clock.js';
import { makeForm, type FormBody } from '../support/make.js';
import { freePort, Program } from '../support/program.js';
import { Service, type Caller } from '../support/service.js';
import { until } from '../support/until.js';
import { answers, hangs, WebhookReceiver } from '../support/webhook-receiver.js';
import { submit } from '../support/submissions.js';

const LEASE_MS = 60 * SECOND_MS;

let receiver: WebhookReceiver;
let database: TestDatabase;
let settings: Record<string, string>;
beforeEach(async () => {
  receiver = await WebhookReceiver.start();
  database = await createDatabase();
  settings = { ...database.settings, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32', WORKERS: 'off' };
});
afterEach(async () => {
  await receiver.close();
  await database.drop();
});

/** A form whose submissions cause a webhook call and nothing else. */
const makeCallingForm = (owner: Caller): Promise<FormBody> =>
  makeForm(owner, { webhook_url: receiver.url, notify_owner_on_submission: false });

it('A call that outlives its lease is made again by another worker, whatever its clock says, and that result alone counts', async () => {
  const [service, other] = [await Service.start(settings), await Service.start(settings)];
  const clock = new TestClock();
  other.app.get(Clock).now = () => clock.now();
  const owner = await service.openAccount();
  const form = await makeCallingForm(owner);
  const id = await submit(service, form);
  let answerLate: () => void = () => undefined;
  receiver.behaviour = (response, request) => {
    answerLate = () => {
      answers(410)(response, request);
    };
  };
  const first = sendDue(service);
  await until(() => receiver.calls.length === 1);
  receiver.behaviour = answers(200);

  clock.forward(HOUR_MS);
  await sendDue(other);
  expect(receiver.calls).toHaveLength(1);
  const held = await service.repository(Delivery).find();
  const left = (held[0]?.leaseUntil?.getTime() ?? 0) - Date.now();
  expect(left).toBeLessThanOrEqual(LEASE_MS);
  expect(left).toBeGreaterThan(LEASE_MS - 15 * SECOND_MS);
  await endLeases(service);
  clock.forward(2 * SECOND_MS); // leases are looked at every second
  await sendDue(other);
  const taken = await deliveryOf(owner, form, id);
  answerLate();
  await first;
  const after = await deliveryOf(owner, form, id);
  await service.app.close();
  await other.app.close();

  expect(receiver.calls.map((call) => call.id)).toEqual([receiver.last.id, receiver.last.id]);
  expect(taken).toMatchObject({
    state: 'delivered',
    attempts: [
      { trigger: 'scheduled', outcome: 'lost', code: null, answer: expect.any(String) },
      { outcome: 'accepted', code: 200 },
    ],
  });
  expect(after).toEqual(taken);
});

it('A process that is stopped while a receiver hangs is gone, and the next one makes the call at once', async () => {
  receiver.behaviour = hangs;
  const requests = await Service.start(settings);
  const { secret } = await requests.openAccount();
  const form = await makeCallingForm(requests.as(secret ?? ''));
  const id = await submit(requests, form);
  await requests.app.close();
  expect(receiver.calls).toEqual([]);

  const port = await freePort();
  const worker = Program.service({ ...settings, WORKERS: 'only', PORT: port });
  await until(() => receiver.calls.length === 1);
  await expect(fetch(`http://127.0.0.1:${port}/health/live`)).rejects.toThrow();
  expect(await worker.stop()).toBe(0);

  receiver.behaviour = answers(200);
  const next = await Service.start(settings);
  await sendDue(next);
  const delivery = await deliveryOf(next.as(secret ?? ''), form, id);
  await next.app.close();

  expect(delivery).toMatchObject({
    state: 'delivered',
    attempts: [
      { outcome: 'interrupted', code: null, answer: expect.any(String) },
      { outcome: 'accepted', code: 200 },
    ],
  });
  expect(receiver.calls[0]?.id).toBe(receiver.last.id);
});
