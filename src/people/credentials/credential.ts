import type { AuthenticationResponseJSON, AuthenticatorTransport } from '@simplewebauthn/server';
import { Secret, TOTP } from 'otpauth';
import type { Passkey } from './credential.entity.js';
import {
  ConflictError,
  ForbiddenError,
  InvalidInputError,
  NotFoundError,
  fact,
} from '../../platform/kernel/errors.js';

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

/** Bytes of a secret: as many as SHA-1 gives (RFC 4226, section 4). */
const SECRET_BYTES = 20;
/** Seconds that a code lasts, as authenticator apps expect (RFC 6238, section 5.2). */
const PERIOD_SECONDS = 30;
/** Codes before and after the present one that are accepted, for clocks that differ by up to 30 s. */
const WINDOW = 1;
/** Name under which authenticator apps show the codes. */
const ISSUER = 'Form Collection Service';

/** Returns a new secret as 32 characters of base32, which people can type. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** Tells whether a text has the form of such a secret. */
export function isTotpSecret(text: string): boolean {
  return /^[A-Z2-7]{32}$/.test(text);
}

/** Returns the address that authenticator apps read from a QR code. */
export function totpAddress(secret: string, email: string): string {
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

function totpOf(secret: string, label: string): TOTP {
  const options = { issuer: ISSUER, label, period: PERIOD_SECONDS };
  return new TOTP({ ...options, secret: Secret.fromBase32(secret) });
}

export class PasskeyNotFound extends fact(
  NotFoundError,
  'passkey_not_found',
  'Passkey not found.',
) {}

/** The same answer whatever is at fault: the key, the challenge, the origin or the person. */
export class PasskeyRefused extends InvalidInputError {
  constructor() {
    const message = 'The passkey does not belong here, or the request timed out. Try again.';
    super('passkey_refused', message, [{ field: 'credential', code: 'passkey_refused', message }]);
  }
}

/** The authenticator made a passkey that somebody has here already. */
export class PasskeyKnown extends fact(
  ConflictError,
  'passkey_known',
  'You have already added this passkey.',
  [{ field: 'credential', code: 'taken', message: 'You have already added this passkey.' }],
) {}

export class TooManyPasskeys extends fact(
  ConflictError,
  'too_many_passkeys',
  (max: number) => `You have ${max} passkeys already. Remove one first.`,
) {}

/** Without it the person could not sign in any more. */
export class LastWayIn extends fact(
  ConflictError,
  'last_way_in',
  'This is your last way to sign in. Add another passkey or set a password first.',
) {}

/** Browsers keep passkeys for https and localhost alone. */
export class PasskeysOff extends fact(
  ForbiddenError,
  'passkeys_off',
  'Passkeys need an https:// address with a host name. Set it in BASE_URL, or run the service on localhost.',
) {}

export class IdentityNotFound extends fact(
  NotFoundError,
  'identity_not_found',
  'Identity not found.',
) {}

/** Somebody else signs in by that identity. */
export class IdentityTaken extends fact(
  ConflictError,
  'identity_taken',
  'Another person already signs in with this identity.',
) {}

/** The address is of a domain that may not come in through the provider. */
export class IdentityForbidden extends fact(
  ForbiddenError,
  'identity_forbidden',
  'The domain of your address at the provider is not allowed here. Ask the operator to add it to OIDC_ALLOWED_DOMAINS.',
) {}

/** Nobody has that address, or the provider has not made sure whose it is, or the person is disabled. */
export class IdentityUnknown extends fact(
  ForbiddenError,
  'identity_unknown',
  'No one here uses this identity. Verify your address at the provider and ask an owner for an invitation. Or sign in another way and link the identity under "Account and sign-in".',
) {}
