import { randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/**
 * Makes a secret as Standard Webhooks 1.0.0 writes them: `whsec_` and base64 of 24 to 64 bytes.
 * @param bytes random when left out
 */
export function makeWebhookSecret(bytes: Buffer = randomBytes(SECRET_BYTES)): string {
  return PREFIX + bytes.toString('base64');
}

/** Returns the bytes that a secret stands for by Standard Webhooks; other schemes take its text. */
export function bytesOfSecret(secret: string): Buffer {
  return Buffer.from(secret.slice(PREFIX.length), 'base64');
}
