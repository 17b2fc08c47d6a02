import { timingSafeEqual } from 'node:crypto';
import { hashSecret } from '../../platform/kernel/token-secret.js';

const BEARER = /^Bearer +([^ ].*)$/i;

/**
 * Tells whether a request may read metrics.
 * @param authorization header of the request
 * @param token the secret of METRICS_TOKEN
 */
export function hasMetricsToken(authorization: string | undefined, token: string): boolean {
  const given = BEARER.exec(authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(hashSecret(given), hashSecret(token)); // hashed, since timingSafeEqual wants equal lengths
}
