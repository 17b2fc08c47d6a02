import { Secret, TOTP } from 'otpauth';

/** Bytes of a secret: as many as SHA-1 gives (RFC 4226, section 4). */
const SECRET_BYTES = 20;
/** Seconds that a code lasts; what authenticator apps expect (RFC 6238, section 5.2). */
const PERIOD_SECONDS = 30;
/** Codes before and after the present one that are taken, for clocks that differ. */
const WINDOW = 1;
/** What authenticator apps show the codes under. */
const ISSUER = 'Form Collection Service';

/** Returns a new secret as the 32 base32 characters that people can type. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** Says whether a text is a secret of ours. */
export function isTotpSecret(text: string): boolean {
  return /^[A-Z2-7]{32}$/.test(text);
}

/** Returns the address that authenticator apps read from a QR code. */
export function totpAddress(secret: string, email: string): string {
  return totpOf(secret, email).toString();
}

/**
 * Checks a code of six digits.
 * @returns the number of its period since 1970, by which it is known as used; null for a wrong one
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
