import { createHmac, hash, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/**
 * Makes a secret as Standard Webhooks 1.0.0 writes them: `whsec_` and base64 of 24 to 64 bytes.
 * @param bytes random when left out
 */
export function makeWebhookSecret(bytes: Buffer = randomBytes(SECRET_BYTES)) {
  return PREFIX + bytes.toString('base64');
}

/** Returns the bytes that a secret stands for by Standard Webhooks; other schemes take its text. */
function bytesOfSecret(secret: string): Buffer {
  return Buffer.from(secret.slice(PREFIX.length), 'base64');
}

/** A call to sign. */
interface Signed {
  /** Identifies the delivery for the receiver. */
  id: string;
  /** Unix time in seconds. */
  timestamp: string;
  /** The exact text that is sent. */
  body: string;
  /** Those that sign now, the newest first. */
  secrets: readonly string[];
}

/** A proof that a call is ours. */
interface Scheme {
  /** Its name on pages. */
  label: string;
  headers: (signed: Signed) => Record<string, string>;
}

/**
 * Proofs that a call is ours, by name: the standard one, and those that receivers of other providers check. The
 * standard one takes the bytes that a secret stands for, and signs once for each secret; the others take the
 * newest secret as the text that is shown.
 */
export const SIGNATURES = {
  /** By Standard Webhooks 1.0.0: HMAC-SHA256 over id, time and body. */
  standard: {
    label: 'Standard Webhooks',
    headers: ({ id, timestamp, body, secrets }) => {
      const text = `${id}.${timestamp}.${body}`;
      const proofs = secrets.map((secret) => `v1,${hmac(bytesOfSecret(secret), text, 'base64')}`);
      return { 'webhook-signature': proofs.join(' ') };
    },
  },
  formspree: {
    label: 'Formspree-Signature',
    headers: ({ timestamp: t, body, secrets: [secret = ''] }) => ({
      'formspree-signature': `t=${t},v1=${hmac(secret, `${t}.${body}`, 'hex')}`,
    }),
  },
  /** A JSON Web Signature that names the digest of the body. */
  netlify: {
    label: 'X-Webhook-Signature (Netlify)',
    headers: ({ body, secrets: [secret = ''] }) => {
      const sha256 = hash('sha256', body);
      const parts = [
        { alg: 'HS256', typ: 'JWT' },
        { iss: 'netlify', sha256 },
      ];
      const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
      const text = parts.map(encode).join('.');
      return { 'x-webhook-signature': `${text}.${hmac(secret, text, 'base64url')}` };
    },
  },
  formward: {
    label: 'X-Formward-Signature',
    headers: ({ timestamp: t, body, secrets: [secret = ''] }) => ({
      'x-formward-signature': `t=${t},v1=${hmac(secret, `v1:${t}:${body}`, 'hex')}`,
    }),
  },
  none: { label: 'None', headers: () => ({}) },
} as const satisfies Record<string, Scheme>;

export type SignatureName = keyof typeof SIGNATURES;
export const SIGNATURE_NAMES = Object.keys(SIGNATURES) as SignatureName[];

/**
 * Returns the headers of a call that prove it is ours. The id and the time are always among them, so that a receiver
 * can tell repeats.
 */
export function signatureHeaders(
  signature: SignatureName,
  id: string,
  at: Date,
  body: string,
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    ...SIGNATURES[signature].headers({ id, timestamp, body, secrets }),
  };
}

function hmac(key: string | Buffer, text: string, encoding: 'hex' | 'base64' | 'base64url') {
  return createHmac('sha256', key).update(text).digest(encoding);
}
