import { TextDecoder } from 'node:util';
import { fromWindows1252 } from '../../platform/kernel/text/windows-1252.js';
import { UnknownEncoding } from '../model/intake.errors.js';

/** A field of this name names the charset of the others (HTML Standard). */
export const CHARSET_FIELD = '_charset_';

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]+)/i;
const NON_ASCII = /[\x80-\xff]/;

/** Returns the charset that a Content-Type names; null when it names none. */
export function charsetOf(contentType: string): string | null {
  return CHARSET.exec(contentType)?.[1] ?? null;
}

/**
 * Returns a decoder for a charset by its name on the web.
 * @throws UnknownEncoding
 */
export function decoderFor(label: string): TextDecoder {
  try {
    return new TextDecoder(label, { ignoreBOM: true });
  } catch {
    throw new UnknownEncoding(`The charset "${label.slice(0, 40)}" is not supported. Send UTF-8.`);
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Decodes bytes that are given as a string of one character a byte.
 * @param declared the charset that the request names. Without one the bytes are UTF-8, or, if they cannot be,
 *   windows-1252, which browsers use on pages without a charset. So no byte is lost.
 */
export function decodeText(bytes: string, declared: TextDecoder | null): string {
  if (!NON_ASCII.test(bytes) && (declared === null || declared.encoding === 'utf-8')) return bytes;
  const buffer = Buffer.from(bytes, 'latin1');
  if (declared?.encoding === 'windows-1252') return fromWindows1252(bytes);
  if (declared) return declared.decode(buffer);
  try {
    return utf8.decode(buffer);
  } catch {
    return fromWindows1252(bytes);
  }
}
