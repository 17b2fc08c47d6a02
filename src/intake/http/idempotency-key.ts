import type { IncomingMessage } from 'node:http';
import type { ParsedSubmission } from '../model/special-fields.js';

/**
 * Returns the idempotency key of a request, from its header or the field, as it was sent; null when it
 * has none.
 */
export function idempotencyKeyOf(
  { headers }: IncomingMessage,
  sent: ParsedSubmission,
): string | null {
  const header = headers['idempotency-key'];
  const quoted = typeof header === 'string' ? header.trim() : null;
  return quoted?.replace(/^"(.*)"$/, '$1') ?? sent.idempotencyKey;
}
