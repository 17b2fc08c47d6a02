import { createHash, createHmac, randomBytes } from 'node:crypto';

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

type Scheme = (signed: Signed) => Record<string, string>;

/**
 * Proofs that a call is ours, by name: the standard one, and those that receivers of other providers check. The
 * standard one takes the bytes that a secret stands for, and signs once for each secret; the others take the
 * newest secret as the text that is shown.
 */
const SIGNATURES = {
  /** By Standard Webhooks 1.0.0: HMAC-SHA256 over id, time and body. */
  standard: ({ id, timestamp, body, secrets }) => ({
    'webhook-signature': secrets
      .map((secret) => {
        const hmac = createHmac('sha256', bytesOfSecret(secret));
        return `v1,${hmac.update(`${id}.${timestamp}.${body}`).digest('base64')}`;
      })
      .join(' '),
  }),
  formspree: ({ timestamp: t, body, secrets: [secret = ''] }) => ({
    'formspree-signature': `t=${t},v1=${hexOf(secret, `${t}.${body}`)}`,
  }),
  /** A JSON Web Signature that names the digest of the body. */
  netlify: ({ body, secrets: [secret = ''] }) => {
    const sha256 = createHash('sha256').update(body).digest('hex');
    const parts = [
      { alg: 'HS256', typ: 'JWT' },
      { iss: 'netlify', sha256 },
    ];
    const text = parts.map((part) => base64Url(JSON.stringify(part))).join('.');
    const proof = createHmac('sha256', secret).update(text).digest('base64url');
    return { 'x-webhook-signature': `${text}.${proof}` };
  },
  formward: ({ timestamp: t, body, secrets: [secret = ''] }) => ({
    'x-formward-signature': `t=${t},v1=${hexOf(secret, `v1:${t}:${body}`)}`,
  }),
  none: () => ({}),
} as const satisfies Record<string, Scheme>;

export type SignatureName = keyof typeof SIGNATURES;
export const SIGNATURE_NAMES = Object.keys(SIGNATURES) as SignatureName[];

/** Their names on pages. */
export const SIGNATURE_LABELS: Readonly<Record<SignatureName, string>> = {
  standard: 'Standard Webhooks',
  formspree: 'Formspree-Signature',
  netlify: 'X-Webhook-Signature (Netlify)',
  formward: 'X-Formward-Signature',
  none: 'None',
};

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
    ...SIGNATURES[signature]({ id, timestamp, body, secrets }),
  };
}

function hexOf(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('hex');
}

function base64Url(text: string): string {
  return Buffer.from(text).toString('base64url');
}
