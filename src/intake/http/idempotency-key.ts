import type { IncomingMessage } from 'node:http';
import { PROBE_REFUSED_KEY } from '../../submissions/storage/probes.service.js';
import { ProbeLost } from '../model/intake.errors.js';
import type { ParsedSubmission } from '../model/special-fields.js';

/**
 * Returns the idempotency key of a request, from its header or the field, as it was sent; null when it
 * has none.
 * @throws ProbeLost for that of a probe
 */
export function idempotencyKeyOf(
  { headers }: IncomingMessage,
  sent: ParsedSubmission,
): string | null {
  const header = headers['idempotency-key'];
  const quoted = typeof header === 'string' ? header.trim() : null;
  const key = quoted?.replace(/^"(.*)"$/, '$1') ?? sent.idempotencyKey;
  if (key === PROBE_REFUSED_KEY) throw new ProbeLost();
  return key;
}
