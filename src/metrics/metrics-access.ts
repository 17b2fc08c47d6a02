import { createHash, timingSafeEqual } from 'node:crypto';

const BEARER = /^Bearer +(.+)$/i;

/**
 * Whether a request may read metrics.
 * @param authorization its header
 * @param token the secret of METRICS_TOKEN
 */
export function showsToken(authorization: string | undefined, token: string): boolean {
  const given = BEARER.exec(authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(digest(given), digest(token)); // of one length, whatever was sent
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
