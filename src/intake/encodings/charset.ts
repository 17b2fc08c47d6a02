import { TextDecoder } from 'node:util';
import { fromWindows1252 } from '../../platform/index.js';

/** A field of this name names the charset of the others (HTML Standard). */
export const CHARSET_FIELD = '_charset_';

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]+)/i;
const NON_ASCII = /[\x80-\xff]/;
/** Encodings that have every character. */
const UNICODE = /^(?:utf-|gb18030)/;
const WINDOWS_1252 = 'windows-1252';
/** A character as pages write it whose charset lacks it, such as `&#8364;`. */
const REFERENCE = /&#(\d{1,7});/g;

/** Returns the decoder of the charset that a Content-Type names; null when it names none. */
export function decoderIn(contentType: string): TextDecoder | null {
  return decoderFor(CHARSET.exec(contentType)?.[1]);
}

/** Returns the decoder of a charset by its name on the web; null for what is no such name. */
export function decoderFor(label: string | undefined): TextDecoder | null {
  if (label === undefined || label === '') return null;
  try {
    return new TextDecoder(label, { ignoreBOM: true });
  } catch {
    return null;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Decodes bytes that are given as a string of one character a byte.
 * @param declared the charset that the request names. Without one the bytes are UTF-8, or, if they cannot be,
 *   windows-1252, which browsers use on pages without a charset. So no byte is lost.
 */
export function decodeText(bytes: string, declared: TextDecoder | null) {
  if (!NON_ASCII.test(bytes) && (declared === null || declared.encoding === 'utf-8')) return bytes;
  if (declared?.encoding === WINDOWS_1252) return fromWindows1252(bytes);
  const buffer = Buffer.from(bytes, 'latin1');
  if (declared) return declared.decode(buffer);
  try {
    return utf8.decode(buffer);
  } catch {
    return fromWindows1252(bytes);
  }
}

/**
 * Decodes what a browser wrote into a form, as `decodeText` does. On a page in a charset that lacks a character it
 * writes the reference of it (URL Standard, section 5.2), which becomes the character again.
 */
export function decodeFormText(bytes: string, declared: TextDecoder | null) {
  const text = decodeText(bytes, declared);
  if (!text.includes('&#')) return text;
  const isFallback = declared === null && text === fromWindows1252(bytes) && NON_ASCII.test(bytes);
  const encoding = declared?.encoding ?? (isFallback ? WINDOWS_1252 : 'utf-8');
  if (UNICODE.test(encoding)) return text;
  return text.replace(REFERENCE, (reference, digits: string) => {
    const code = Number(digits);
    if (code < 0x80 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return reference;
    const character = String.fromCodePoint(code);
    // Who typed a reference to a character that the charset has typed just that.
    return charactersOf(encoding).has(character) ? reference : character;
  });
}

const CHARACTERS = new Map<string, ReadonlySet<string>>();

/** Returns the characters that an encoding has, which takes some milliseconds the first time. */
function charactersOf(encoding: string) {
  let known = CHARACTERS.get(encoding);
  if (!known) {
    // It writes the characters of EUC-JP with escape sequences.
    const decoder = decoderFor(encoding === 'iso-2022-jp' ? 'euc-jp' : encoding);
    known = new Set(decodeText(allBytes(), decoder));
    CHARACTERS.set(encoding, known);
  }
  return known;
}

/** Returns each byte, and each pair that can be a character in an encoding of several bytes; line feeds between. */
function allBytes() {
  const all = [];
  for (let lead = 0x80; lead <= 0xff; lead++) {
    all.push(String.fromCharCode(lead));
    for (let trail = 0x40; trail <= 0xfe; trail++) all.push(String.fromCharCode(lead, trail));
  }
  return all.join('\n');
}
