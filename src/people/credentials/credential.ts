import type { AuthenticationResponseJSON, AuthenticatorTransport } from '@simplewebauthn/server';
import type { Passkey } from './passkey.entity.js';

/** Ways to reach an authenticator (WebAuthn level 3, section 5.8.4). */
const TRANSPORTS = new Set(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']);

/** Returns the id of the passkey that an authenticator answers with, or null when it names none. */
export function credentialIdOf(credential: unknown): Buffer | null {
  const { id } = (credential ?? {}) as { id?: unknown };
  return typeof id === 'string' && id !== '' ? Buffer.from(id, 'base64url') : null;
}

/** Tells whether the authenticator keeps the key for the same person as we do. */
export function isAnswerOf(credential: unknown, { userHandle }: Passkey): boolean {
  const { response } = credential as AuthenticationResponseJSON;
  return !response.userHandle || Buffer.from(response.userHandle, 'base64url').equals(userHandle);
}

/** Names a passkey to a browser. */
export function descriptorOf({ credentialId, transports }: Passkey) {
  return {
    id: credentialId.toString('base64url'),
    transports: transports.split(',').filter(Boolean) as AuthenticatorTransport[],
  };
}

/** Returns the known ways among those that the browser names. */
export function transportsOf(given: unknown): string {
  const texts = Array.isArray(given) ? given.filter((each) => typeof each === 'string') : [];
  return [...new Set(texts)].filter((each) => TRANSPORTS.has(each)).join(',');
}
