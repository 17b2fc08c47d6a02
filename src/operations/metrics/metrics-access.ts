import { timingSafeEqual } from 'node:crypto';
import { hashSecret } from '../../platform/kernel/token-secret.js';

const BEARER = /^Bearer +([^ ].*)$/i;

/**
 * Whether a request may read metrics.
 * @param authorization its header
 * @param token the secret of METRICS_TOKEN
 */
export function hasMetricsToken(authorization: string | undefined, token: string): boolean {
  const given = BEARER.exec(authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(hashSecret(given), hashSecret(token)); // of one length, whatever was sent
}
