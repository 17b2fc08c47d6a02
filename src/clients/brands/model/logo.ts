import { createHash } from 'node:crypto';
import { LogoRefused } from './brand.errors.js';

/** Largest logo, in bytes. */
const LOGO_MAX_BYTES = 100_000;

/** First bytes of the kinds of pictures that are taken. A drawing (SVG) can hold scripts, so it is not. */
const KINDS: { type: string; starts: RegExp }[] = [
  { type: 'image/png', starts: /^\x89PNG\r\n\x1a\n/ },
  { type: 'image/jpeg', starts: /^\xff\xd8\xff/ },
  { type: 'image/webp', starts: /^RIFF[\s\S]{4}WEBP/ },
];
const LONGEST_START = 12;

/** A picture with its media type and its digest. */
export interface Logo {
  logo: Buffer;
  logoType: string;
  logoDigest: Buffer;
}

/**
 * Reads a logo; what it is called does not count.
 * @param field path of the logo in the caller's input, for the error
 * @throws LogoRefused
 */
export function readLogo(bytes: Buffer, field: string): Logo {
  if (bytes.length > LOGO_MAX_BYTES) throw new LogoRefused(field, 'too_large');
  const start = bytes.toString('latin1', 0, LONGEST_START);
  const kind = KINDS.find(({ starts }) => starts.test(start));
  if (!kind) throw new LogoRefused(field, 'not_a_picture');
  const logoDigest = createHash('sha256').update(bytes).digest();
  return { logo: bytes, logoType: kind.type, logoDigest };
}
