import request from 'supertest';
import { DataSource } from 'typeorm';
import { Attempt, Delivery } from '../../src/deliveries/model/delivery.entity.js';
import type { OutcomeName } from '../../src/deliveries/model/outcome.js';
import { makeUuid } from '../../src/platform/kernel/uuid.js';
import { createTables, type TestDatabase } from '../support/database.js';
import { SECOND_MS, TestClock } from '../support/clock.js';
import { freePort, Program } from '../support/program.js';
import { Caller, Service } from '../support/service.js';
import { Clock } from '../../src/platform/kernel/time.js';
import { answers, WebhookReceiver } from '../support/webhook-receiver.js';

const TOKEN = 'a-token-for-tests-of-crashes-1';
const COUNT = 12;

let database: TestDatabase;
let receiver: WebhookReceiver;
beforeEach(async () => {
  database = await createTables();
  receiver = await WebhookReceiver.start();
});
afterEach(async () => {
  await receiver.close();
  await database.drop();
});

it('A worker that is killed between a call and noting it (W-06) leaves nothing undone: the call is made again with the same id', async () => {
  const settings = {
    ...database.settings,
    BOOTSTRAP_TOKEN: TOKEN,
    HOST: '127.0.0.1',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32',
  };
  const port = await freePort();
  const killed = Program.service({ ...settings, PORT: port });
  await killed.untilPrinted(/curl .*\n/);
  const url = `http://127.0.0.1:${port}`;
  const form = await new Caller(url, TOKEN).makeForm({ webhook_url: receiver.url });
  // The call has arrived, and its answer never does: the worker dies before it stores a result.
  const called = new Promise<void>((resolve) => {
    receiver.behaviour = () => {
      resolve();
    };
  });
  const submissions = new Set<string>();
  for (let i = 0; i < COUNT; i++) {
    const { body } = await request(url)
      .post(`/f/${form.identifier}`)
      .set('Accept', 'application/json')
      .send({ i: String(i) })
      .expect(200);
    submissions.add(body.id);
  }
  await called;
  await killed.kill();
  const before = receiver.calls.splice(0);

  receiver.behaviour = answers(200);
  const second = await Service.start({ ...settings, WORKERS: 'off' });
  const clock = new TestClock();
  second.app.get(Clock).now = () => clock.now();
  await second.sendDue();
  const untouched = receiver.calls.length;
  await second.endLeases();
  clock.forward(2 * SECOND_MS); // leases are looked at every second
  await second.sendDue();
  await second.close();

  expect(before.length).toBeGreaterThan(0);
  expect(untouched).toBe(COUNT - before.length);
  expect(receiver.calls).toHaveLength(COUNT);
  const ids = new Set(receiver.calls.map(({ id }) => id));
  expect(ids.size).toBe(COUNT);
  for (const { id } of before) expect(ids).toContain(id);
  expect(new Set(receiver.calls.map(({ body }) => submissionIn(body)))).toEqual(submissions);
});

it.each<[OutcomeName[], string, number]>([
  [['lost'], 'failed', 0],
  [[], 'delivered', 1],
  [['lost', 'refused'], 'delivered', 1],
  [['lost', 'interrupted'], 'delivered', 1],
])(
  'A delivery whose worker always dies is given up once two tries in a row were lost: after %j it is %s',
  async (before, state, calls) => {
    const settings = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32', WORKERS: 'off' };
    const service = await Service.start({ ...database.settings, ...settings });
    const owner = await service.openAccount();
    const settingsOfForm = { webhook_url: receiver.url, notify_owner_on_submission: false };
    const form = await owner.makeForm(settingsOfForm);
    const id = await service.submit(form);
    const source = service.app.get(DataSource);
    const [delivery] = await source.getRepository(Delivery).find();
    if (!delivery) throw new Error('Nothing is to be delivered.');
    const attempt = { deliveryId: delivery.id, at: new Date(), durationMs: 1, code: null, answer: null };
    for (const outcome of before) {
      await source.getRepository(Attempt).insert({ ...attempt, id: makeUuid(), trigger: 'scheduled', outcome });
    }
    const leaseToken = Buffer.alloc(16, 1);
    await source.getRepository(Delivery).update({ id: delivery.id }, { state: 'delivering', leaseToken });
    await service.endLeases();
    await service.sendDue();
    const shown = await owner.deliveryOf(form, id);
    await service.close();

    expect(shown.state).toBe(state);
    expect(shown.attempts[before.length]?.outcome).toBe('lost');
    expect(receiver.calls).toHaveLength(calls);
  },
);

it('Deliveries whose worker died are tried one at a time, so that the one which ends it fails no other; the rest go on', async () => {
  const settings = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32', WORKERS: 'off' };
  const service = await Service.start({ ...database.settings, ...settings });
  const owner = await service.openAccount();
  const form = await owner.makeForm({ webhook_url: receiver.url, notify_owner_on_submission: false });
  for (let n = 0; n < 5; n++) await service.submit(form);
  const source = service.app.get(DataSource);
  const suspects = await source.getRepository(Delivery).find({ take: 3 });
  for (const { id: deliveryId } of suspects) {
    await source
      .getRepository(Attempt)
      .insert({
        ...{ id: makeUuid(), deliveryId, at: new Date(), durationMs: 1 },
        ...{ trigger: 'scheduled', outcome: 'lost', code: null, answer: null },
      });
  }
  const names = new Set(suspects.map(({ id }) => `msg_${id.toString('hex')}`));
  const together: number[] = [];
  const open = new Set<string>();
  receiver.behaviour = (response, request) => {
    const id = String(request.headers['webhook-id']);
    if (names.has(id)) open.add(id);
    together.push(open.size);
    // The next calls, if there are any, arrive before this one is answered.
    setTimeout(() => {
      open.delete(id);
      response.writeHead(200).end();
    }, 50);
  };

  await service.sendDue();
  await service.close();

  expect(receiver.calls).toHaveLength(5);
  expect(Math.max(...together)).toBe(1);
});

function submissionIn(body: string): string {
  const payload = JSON.parse(body) as { data: { submission: { id: string } } };
  return payload.data.submission.id;
}
