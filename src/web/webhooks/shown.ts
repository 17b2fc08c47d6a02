import { beginningOf } from '../../deliveries/model/attempt-result.js';
import {
  toldState,
  type DeliveryWithAttempts,
} from '../../deliveries/model/delivery-with-attempts.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import type { TestCall } from '../../webhooks/webhook-test-calls.js';
import type { CallShown } from './webhook-calls.js';
import type { TestShown } from '../deliveries/webhook-test.js';

/** Returns how a test ended, as a page shows it. */
export function testOf({
  result: { verdict, outcome, code, answer },
  durationMs,
}: TestCall): TestShown {
  const kept = answer && beginningOf(answer);
  return { isDelivered: verdict === 'delivered', outcome, code, answer: kept, durationMs };
}

/**
 * Returns a delivery as a list of calls shows it.
 * @param identifier of its form; null when the reader may not see submissions
 */
export function callOf(sent: DeliveryWithAttempts, identifier: string | null): CallShown {
  const { delivery, attempts } = sent;
  const { id, submissionId, createdAt, nextTryAt: nextAttemptAt } = delivery;
  return {
    id: formatUuid(id),
    submission:
      submissionId && identifier !== null ? { identifier, id: formatUuid(submissionId) } : null,
    ...{ state: toldState(sent), nextAttemptAt, plannedAt: createdAt },
    tries: attempts.length,
    lastTry: attempts.at(-1) ?? null,
  };
}
