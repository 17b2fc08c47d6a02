import { DeliveriesService } from '../../src/deliveries/deliveries.service.js';
import { DeliveryWorker } from '../../src/deliveries/queue/delivery-worker.js';
import { SECOND_MS, useClock } from '../support/clock.js';
import { useService, type FormBody, type Caller } from '../support/service.js';
import { until } from '../support/until.js';
import { answers, hangs, WebhookReceiver } from '../support/webhook-receiver.js';

describe('The outbox', () => {
  const service = useService({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' });
  let owner: Caller;
  let receiver: WebhookReceiver;
  let form: FormBody;
  beforeEach(async () => {
    receiver = await WebhookReceiver.start();
    owner = await service().openAccount();
    form = await owner.makeForm({ webhook_url: receiver.url });
  });
  afterEach(() => receiver.close());

  it('is begun right after it was committed, not when the database is asked next', async () => {
    const worker = service().app.get(DeliveryWorker);
    // Without its timer it never asks.
    clearInterval(Reflect.get(worker, 'timer') as NodeJS.Timeout);
    for (let count = 1; count <= 10; count++) {
      await service().submit(form, { i: String(count) });
      await until(() => receiver.calls.length === count);
    }
    worker.onApplicationBootstrap();
  });

  it('goes on beside a receiver that hangs (W-07)', async () => {
    const bad = await WebhookReceiver.start(hangs);
    const hanging = await owner.makeForm({ webhook_url: bad.url });
    for (let i = 0; i < 100; i++) await service().submit(hanging, { i: String(i) });
    await service().submit(form, { name: 'Jane' });

    await until(() => receiver.calls.length === 1);
    expect(bad.calls.length).toBeLessThanOrEqual(4);
    await bad.close();
  });

  it('is found when nobody said so', async () => {
    jest.spyOn(service().app.get(DeliveriesService), 'wakeWorker').mockReturnValue();
    await service().submit(form, { name: 'Jane' });

    await until(() => receiver.calls.length === 1);
  });
});

describe('A receiver that is away', () => {
  const service = useService({ WORKERS: 'off', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' });
  const clock = useClock();
  let owner: Caller;
  let receiver: WebhookReceiver;
  beforeEach(async () => {
    owner = await service().openAccount();
    receiver = await WebhookReceiver.start((response) => response.destroy());
  });
  afterEach(() => receiver.close());

  it('is left alone after five failures, asked once after a pause, and then gets the rest', async () => {
    const form = await owner.makeForm({ webhook_url: receiver.url });
    for (let i = 0; i < 20; i++) await service().submit(form, { i: String(i) });
    await service().sendDue();
    const tried = receiver.calls.length;
    expect(tried).toBeGreaterThanOrEqual(5);
    expect(tried).toBeLessThan(5 + 4);

    await service().sendDue();
    expect(receiver.calls).toHaveLength(tried);

    clock.forward(5 * 60 * SECOND_MS);
    await service().sendDue();
    expect(receiver.calls).toHaveLength(tried + 1);

    receiver.behaviour = answers(200);
    clock.forward(5 * 60 * SECOND_MS);
    await service().sendDue();
    const delivered = new Set(receiver.calls.slice(tried + 1).map(({ id }) => id));
    expect(delivered.size).toBeGreaterThanOrEqual(19);
  });

  it('is still called for accounts that had no failure', async () => {
    const form = await owner.makeForm({ webhook_url: receiver.url });
    for (let i = 0; i < 5; i++) await service().submit(form, { i: String(i) });
    await service().sendDue();
    const stranger = await service().openAccount();
    const theirs = await stranger.makeForm({ webhook_url: receiver.url });
    await service().deliver(theirs, { name: 'Jane' });

    expect(receiver.calls).toHaveLength(5 + 1);
  });

  it('does not hold up another one while it is left alone', async () => {
    const other = await WebhookReceiver.start();
    const away = await owner.makeForm({ webhook_url: receiver.url });
    const there = await owner.makeForm({ webhook_url: other.url });
    for (let i = 0; i < 150; i++) await service().submit(away, { i: String(i) });
    await service().deliver(there, { name: 'Jane' });
    await other.close();

    expect(other.calls).toHaveLength(1);
    expect(receiver.calls.length).toBeLessThan(10);
  });
});
