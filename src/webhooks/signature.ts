import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/**
 * Makes a secret as Standard Webhooks 1.0.0 writes them: `whsec_` and base64 of 24 to 64 bytes.
 * @param bytes random when left out
 */
export function makeWebhookSecret(bytes: Buffer = randomBytes(SECRET_BYTES)): string {
  return PREFIX + bytes.toString('base64');
}

/**
 * Returns the headers that prove a call is ours (Standard Webhooks 1.0.0): HMAC-SHA256 over id, time and the
 * exact body, one signature for each secret that is valid now.
 */
export function signatureHeaders(
  id: string,
  at: Date,
  body: string,
  secrets: string[],
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
