import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DeliveriesService } from '../../src/deliveries/deliveries.service.js';
import { sendDue } from '../support/deliveries.js';
import { SECOND_MS, useClock } from '../support/clock.js';
import { makeForm, type FormBody } from '../support/make.js';
import { useService, type Caller } from '../support/service.js';
import { submit } from '../support/submissions.js';
import { until } from '../support/until.js';
import { answers, hangs, WebhookReceiver } from '../support/webhook-receiver.js';

const GOOD_HOSTS = 50;
const PER_HOST = 20;
const AT_ONCE = 2;

const idOf = (body: string) =>
  (JSON.parse(body) as { data: { submission: { id: string } } }).data.submission.id;

describe('One receiver that hangs, among fifty good ones (W-07)', () => {
  const service = useService({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });

  it('does not delay the others: of a thousand calls 99 % arrive within two seconds', async () => {
    const receiver = await WebhookReceiver.start(answers(200), '0.0.0.0');
    const sentAt = new Map<string, number>();
    const arrivedAt = new Map<string, number>();
    let allArrived: () => void;
    const all = new Promise<void>((resolve) => (allArrived = resolve));
    receiver.behaviour = (response, request) => {
      const { body, at: seen, headers } = receiver.last;
      if (headers.host?.startsWith('127.0.9.9:')) {
        hangs(response, request);
        return;
      }
      arrivedAt.set(idOf(body), seen);
      if (arrivedAt.size === GOOD_HOSTS * PER_HOST) allArrived();
      answers(200)(response, request);
    };
    const owner = await service().openAccount();
    const at = (host: string) =>
      makeForm(owner, {
        webhook_url: `http://${host}:${receiver.port}/`,
        notify_owner_on_submission: false,
      });
    const bad = await at('127.0.9.9');
    const good = [];
    for (let i = 1; i <= GOOD_HOSTS; i++) good.push(await at(`127.0.1.${i}`));
    for (let i = 0; i < 100; i++) await submit(service(), bad, { i: String(i) });

    const turns = good.flatMap((form) => Array.from({ length: PER_HOST }, () => form));
    const sender = async () => {
      for (let form = turns.pop(); form; form = turns.pop()) {
        const begun = performance.now();
        sentAt.set(await submit(service(), form, { name: 'Jane' }), begun);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, sender));
    await all;
    await receiver.close();

    const waits = [...sentAt].map(([id, sent]) => (arrivedAt.get(id) ?? Infinity) - sent);
    waits.sort((a, b) => a - b);
    expect(waits).toHaveLength(GOOD_HOSTS * PER_HOST);
    expect(waits[Math.ceil(waits.length * 0.99) - 1]).toBeLessThan(2 * SECOND_MS);
  }, 120_000);
});

describe('The outbox', () => {
  const service = useService({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' });
  let receiver: WebhookReceiver;
  let form: FormBody;
  beforeEach(async () => {
    receiver = await WebhookReceiver.start();
    const owner = await service().openAccount();
    form = await makeForm(owner, { webhook_url: receiver.url });
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await receiver.close();
  });

  it('is begun right after it was committed, not when the database is asked next', async () => {
    const begin = performance.now();
    for (let count = 1; count <= 10; count++) {
      await submit(service(), form, { i: String(count) });
      await until(() => receiver.calls.length === count);
    }

    expect(performance.now() - begin).toBeLessThan(5 * SECOND_MS);
  });

  it('is found when nobody said so', async () => {
    jest.spyOn(service().app.get(DeliveriesService), 'wakeWorker').mockReturnValue();
    await submit(service(), form, { name: 'Jane' });

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
  afterEach(async () => {
    await receiver.close();
  });

  it('is left alone after five failures, asked once after a pause, and then gets the rest', async () => {
    const form = await makeForm(owner, { webhook_url: receiver.url });
    for (let i = 0; i < 20; i++) await submit(service(), form, { i: String(i) });
    await sendDue(service());
    const tried = receiver.calls.length;
    expect(tried).toBeGreaterThanOrEqual(5);
    expect(tried).toBeLessThan(5 + 4);

    await sendDue(service());
    expect(receiver.calls).toHaveLength(tried);

    clock.forward(5 * 60 * SECOND_MS);
    await sendDue(service());
    expect(receiver.calls).toHaveLength(tried + 1);

    receiver.behaviour = answers(200);
    clock.forward(5 * 60 * SECOND_MS);
    await sendDue(service());
    const delivered = new Set(receiver.calls.slice(tried + 1).map(({ id }) => id));
    expect(delivered.size).toBeGreaterThanOrEqual(19);
  });

  it('does not hold up another one while it is left alone', async () => {
    const other = await WebhookReceiver.start();
    const away = await makeForm(owner, { webhook_url: receiver.url });
    const there = await makeForm(owner, { webhook_url: other.url });
    for (let i = 0; i < 150; i++) await submit(service(), away, { i: String(i) });
    await submit(service(), there, { name: 'Jane' });
    await sendDue(service());
    await other.close();

    expect(other.calls).toHaveLength(1);
    expect(receiver.calls.length).toBeLessThan(10);
  });
});
