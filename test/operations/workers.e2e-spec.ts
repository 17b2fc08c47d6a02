import { Delivery } from '../../src/deliveries/model/delivery.entity.js';
import { Clock } from '../../src/platform/kernel/time.js';
import { HOUR_MS, SECOND_MS, TestClock } from '../support/clock.js';
import { freePort, Program } from '../support/program.js';
import { useOwnDatabases } from '../support/own-database.js';
import type { FormBody, Caller } from '../support/service.js';
import { until } from '../support/until.js';
import { answers, hangs, WebhookReceiver, type Behaviour } from '../support/webhook-receiver.js';

const LEASE_MS = 60 * SECOND_MS;
const OWN = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32', WORKERS: 'off' };

const { settings, ...own } = useOwnDatabases();
const start = () => own.start(OWN);
let receiver: WebhookReceiver;
beforeEach(async () => {
  receiver = await WebhookReceiver.start();
});
afterEach(() => receiver.close());

/** A form whose submissions cause a webhook call and nothing else. */
const makeCallingForm = (owner: Caller): Promise<FormBody> =>
  owner.makeForm({ webhook_url: receiver.url, notify_owner_on_submission: false });

it('A call that outlives its lease is made again by another worker, whatever its clock says, and that result alone counts', async () => {
  const [service, other] = [await start(), await start()];
  const clock = new TestClock();
  other.app.get(Clock).now = () => clock.now();
  const owner = await service.openAccount();
  const form = await makeCallingForm(owner);
  const id = await service.submit(form);
  let late: Parameters<Behaviour> | undefined;
  receiver.behaviour = (...call) => (late = call);
  const first = service.sendDue();
  await until(() => receiver.calls.length === 1);
  receiver.behaviour = answers(200);

  clock.forward(HOUR_MS);
  await other.sendDue();
  expect(receiver.calls).toHaveLength(1);
  const held = await service.repository(Delivery).find();
  const left = (held[0]?.leaseUntil?.getTime() ?? 0) - Date.now();
  expect(left).toBeLessThanOrEqual(LEASE_MS);
  expect(left).toBeGreaterThan(LEASE_MS - 15 * SECOND_MS);
  await service.endLeases();
  clock.forward(2 * SECOND_MS); // leases are looked at every second
  await other.sendDue();
  const taken = await owner.deliveryOf(form, id);
  if (late) answers(410)(...late);
  await first;
  const after = await owner.deliveryOf(form, id);

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
  const requests = await start();
  const { secret } = await requests.openAccount();
  const form = await makeCallingForm(requests.as(secret ?? ''));
  const id = await requests.submit(form);
  await requests.close();
  expect(receiver.calls).toEqual([]);

  const port = await freePort();
  const worker = Program.service({ ...settings(), ...OWN, WORKERS: 'only', PORT: port });
  await until(() => receiver.calls.length === 1);
  await expect(fetch(`http://127.0.0.1:${port}/health/live`)).rejects.toThrow();
  expect(await worker.stop()).toBe(0);

  receiver.behaviour = answers(200);
  const next = await start();
  await next.sendDue();
  const delivery = await next.as(secret ?? '').deliveryOf(form, id);

  expect(delivery).toMatchObject({
    state: 'delivered',
    attempts: [
      { outcome: 'interrupted', code: null, answer: expect.any(String) },
      { outcome: 'accepted', code: 200 },
    ],
  });
  expect(receiver.calls[0]?.id).toBe(receiver.last.id);
});
