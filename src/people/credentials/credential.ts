import type { AuthenticationResponseJSON, AuthenticatorTransport } from '@simplewebauthn/server';
import { Secret, TOTP } from 'otpauth';
import type { Passkey } from './credential.entity.js';

/** Ways to reach an authenticator (WebAuthn level 3, section 5.8.4). */
const TRANSPORTS = new Set(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']);

/** Returns the id of the passkey that an authenticator answers with, or null when it names none. */
export function credentialIdOf(credential: unknown): Buffer | null {
  const { id } = (credential ?? {}) as { id?: unknown };
  return typeof id === 'string' && id !== '' ? Buffer.from(id, 'base64url') : null;
}

/** Tells whether the authenticator keeps the key for the same person as we do. */
export function isAnswerOf(credential: unknown, { userHandle }: Passkey) {
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
export function transportsOf(given: unknown) {
  const texts = Array.isArray(given) ? given.filter((each) => typeof each === 'string') : [];
  return [...new Set(texts)].filter((each) => TRANSPORTS.has(each)).join(',');
}

/** Bytes of a secret: as many as SHA-1 gives (RFC 4226, section 4). */
const SECRET_BYTES = 20;

/** Seconds that a code lasts, as authenticator apps expect (RFC 6238, section 5.2). */
const PERIOD_SECONDS = 30;

/** Codes before and after the present one that are accepted, for clocks that differ by up to 30 s. */
const WINDOW = 1;

/** Name under which authenticator apps show the codes. */
const ISSUER = 'Form Collection Service';

/** Returns a new secret as 32 characters of base32, which people can type. */
export function newTotpSecret() {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** Tells whether a text has the form of such a secret. */
export function isTotpSecret(text: string) {
  return /^[A-Z2-7]{32}$/.test(text);
}

/** Returns the address that authenticator apps read from a QR code. */
export function totpAddress(secret: string, email: string) {
  return totpOf(secret, email).toString();
}

/**
 * Checks a code of six digits.
 * @returns the number of the code's 30 seconds, counted from 1970, to be stored as used; null for a wrong code
 */
export function totpStepOf(secret: string, code: string, now: Date): number | null {
  const token = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return null;
  const delta = totpOf(secret, '').validate({ token, timestamp: now.getTime(), window: WINDOW });
  return delta === null ? null : Math.floor(now.getTime() / 1_000 / PERIOD_SECONDS) + delta;
}

function totpOf(secret: string, label: string) {
  const options = { issuer: ISSUER, label, period: PERIOD_SECONDS };
  return new TOTP({ ...options, secret: Secret.fromBase32(secret) });
}
