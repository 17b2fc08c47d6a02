import { createHash } from 'node:crypto';

/** A new passkey from an authenticator, once checked. */
export interface NewPasskey {
  credentialId: Buffer;
  publicKey: Buffer;
  userHandle: Buffer;
  uses: number;
  transports: string;
}

/** Returns what a passkey is found by: the SHA-256 of its credential id. */
export function digestOfCredential(credentialId: Buffer): Buffer {
  return createHash('sha256').update(credentialId).digest();
}
