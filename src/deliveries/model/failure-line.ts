import { formatUuid } from '../../platform/kernel/uuid.js';
import type { AttemptResult } from './attempt-result.js';
import type { Delivery } from './delivery.entity.js';
import { CALLS } from './delivery-kinds.js';

/**
 * Returns the fields of a log line about a failed attempt: the receiver, but no recipient. Null for one
 * that delivered, and for one that an orderly end broke off.
 */
export function failureLine(
  { id, submissionId, kind, recipientKey, nextAttemptAt }: Delivery,
  { outcome, code, verdict }: AttemptResult,
): object | null {
  if (verdict === 'delivered' || outcome === 'interrupted') return null;
  return {
    deliveryId: formatUuid(id),
    submissionId: submissionId && formatUuid(submissionId),
    kind,
    to: CALLS.includes(kind) ? recipientKey : 'smtp',
    outcome,
    code,
    nextAttemptAt,
  };
}
