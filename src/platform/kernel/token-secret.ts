import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'fcs_';

const RANDOM_LENGTH = 30;

const CHECKSUM_LENGTH = 6;

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The `b64token` of RFC 6750, section 2.1. */
const RFC_6750_TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;

const OWN_TOKEN = new RegExp(`^${PREFIX}([0-9A-Za-z]{${RANDOM_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`);

/**
 * Returns a new secret: `fcs_`, 30 random base62 characters (178 bits) and a CRC-32 of those in six
 * more. The prefix and the checksum let secret scanners find a leaked one without false alarms
 * (the format GitHub describes for its tokens, 2021).
 * @param prefix of secrets that are no access tokens
 */
export function mintSecret(prefix = PREFIX) {
  const random = randomBase62(RANDOM_LENGTH);
  return `${prefix}${random}${checksum(random)}`;
}

/** Returns what is stored of a secret: its SHA-256, 32 bytes. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** Returns the same in hexadecimal, which takes a third of the time that bytes do. */
export function hashSecretHex(secret: string) {
  return hash('sha256', secret);
}

/** Tells whether a secret can exist. A mistyped or cut `fcs_` secret is refused without a query. */
export function isPlausibleSecret(secret: string) {
  if (!secret.startsWith(PREFIX)) return RFC_6750_TOKEN.test(secret);
  const [, random = '', sum] = OWN_TOKEN.exec(secret) ?? [];
  return sum === checksum(random);
}

/** Tells whether an operator may choose this text as a secret: 24 to 255 characters of RFC 6750. */
export function isAcceptableSecret(secret: string) {
  return secret.length >= 24 && secret.length <= 255 && isPlausibleSecret(secret);
}

function randomBase62(length: number) {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      // 248 is the largest multiple of 62 in a byte: values above it would favour some characters.
      if (byte < 248 && text.length < length) text += ALPHABET.charAt(byte % 62);
    }
  }
  return text;
}

function checksum(text: string) {
  let rest = crc32(text);
  let sum = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    sum = ALPHABET.charAt(rest % 62) + sum;
    rest = Math.floor(rest / 62);
  }
  return sum;
}
