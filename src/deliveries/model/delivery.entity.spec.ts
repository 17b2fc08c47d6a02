import { makeUuid } from '../../platform/kernel/uuid.js';
import { Delivery, receiverOf } from './delivery.entity.js';
import { attemptResult, type AttemptVerdict } from './outcome.js';

const NOW = new Date('2030-01-31T12:00:00Z');

function makeDelivery(attempts = 0): Delivery {
  const plan = { kind: 'owner_email', recipient: 'Ann@Example.com' } as const;
  const delivery = Delivery.create(1, makeUuid(), plan, NOW);
  return Object.assign(delivery, { scheduledAttempts: attempts, state: 'delivering', leaseToken: Buffer.alloc(16) });
}

describe('A delivery', () => {
  it.each([
    ['owner_email', 'Ann@Example.com', 'ann@example.com', 'smtp:'],
    ['webhook', 'https://Hooks.Example.com:8443/in?x=1', 'hooks.example.com:8443', 'http:7:hooks.example.com:8443'],
    ['destination', 'Hooks.slack.com', 'hooks.slack.com', 'http:7:hooks.slack.com'],
    ['webhook', 'http://smtp:80/', 'smtp', 'http:7:smtp'],
  ] as const)('of kind %s to %s is known as %s', (kind, recipient, key, receiver) => {
    const delivery = Delivery.create(1, makeUuid(), { kind, recipient }, NOW);

    expect(delivery.recipient).toBe(recipient);
    expect(delivery.recipientKey).toBe(key);
    expect(receiverOf(delivery, 7)).toBe(receiver);
  });
});

describe('Settling a try', () => {
  it.each<[AttemptVerdict, boolean, number, string, number]>([
    ['delivered', true, 0, 'delivered', 1],
    ['delivered', false, 10, 'delivered', 10],
    ['deferred', true, 0, 'pending', 1],
    ['deferred', true, 8, 'pending', 9],
    ['deferred', true, 9, 'failed', 10],
    ['deferred', false, 9, 'pending', 9],
    ['deferred', false, 10, 'failed', 10],
    ['refused', true, 0, 'failed', 1],
  ])('%s, of the schedule: %s, after %i attempts: %s', (result, scheduled, attempts, state, then) => {
    const delivery = makeDelivery(attempts);
    delivery.settle(attemptResult(result, 'refused'), scheduled, NOW);

    expect(delivery).toMatchObject({ state, scheduledAttempts: then, leaseToken: null, leaseUntil: null });
    const pending = state === 'pending';
    expect(delivery.settledAt).toEqual(pending ? null : NOW);
    if (!pending) expect(delivery.nextAttemptAt).toBeNull();
    else expect(delivery.nextAttemptAt?.getTime()).toBeGreaterThan(NOW.getTime());
  });

  it('that was interrupted takes nothing from the schedule and is due at once', () => {
    const delivery = makeDelivery(3);
    delivery.settle(attemptResult('interrupted', 'refused'), true, NOW);

    expect(delivery).toMatchObject({ state: 'pending', scheduledAttempts: 3, leaseToken: null });
    expect(delivery.nextAttemptAt).toEqual(NOW);
  });
});
