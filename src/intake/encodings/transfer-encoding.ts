import { UnreadableSubmission } from '../model/intake.errors.js';

const BASE64 = /^[a-z\d+/]*={0,2}$/i;
const BLANKS = /[ \t\r\n]+/g;
/** A byte as quoted-printable writes it, or the end of a line that goes on. */
const QUOTED = /=(?:([\da-f]{2})|[ \t]{0,80}\r?\n)/gi;
/** Bytes at the end of a chunk in which an escape may have begun. */
const ESCAPE_BYTES = 84;

/** A way in which mail libraries encode the parts of a form (RFC 2045, section 6). */
export type TransferEncoding = 'base64' | 'quoted-printable';

/** Reads the header of a part; null for bytes as they are. */
export function transferEncodingIn(header: string | undefined): TransferEncoding | null {
  const name = header?.trim().toLowerCase();
  return name === 'base64' || name === 'quoted-printable' ? name : null;
}

/** Decodes a part that is whole; returns null where it is not so encoded. */
export function decodePart(bytes: Buffer, encoding: TransferEncoding): Buffer | null {
  const text = bytes.toString('latin1');
  if (encoding === 'base64') {
    const plain = text.replace(BLANKS, '');
    return BASE64.test(plain) && plain.length % 4 !== 1 ? Buffer.from(plain, 'base64') : null;
  }
  const decoded = text.replace(QUOTED, (_, hex: string | undefined) =>
    hex === undefined ? '' : String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(decoded, 'latin1');
}

/**
 * Decodes a part while it is received.
 * @throws UnreadableSubmission where it is not so encoded
 */
export async function* decodedBody(
  chunks: AsyncIterable<Buffer>,
  encoding: TransferEncoding,
): AsyncGenerator<Buffer> {
  let rest = '';
  let hasEnded = false;
  const decode = (text: string): Buffer => {
    const bytes =
      hasEnded && text !== '' ? null : decodePart(Buffer.from(text, 'latin1'), encoding);
    if (bytes === null) {
      throw new UnreadableSubmission(
        'A part of the multipart body says that it is base64, and is not.',
      );
    }
    hasEnded = encoding === 'base64' && text.includes('=');
    return bytes;
  };
  for await (const chunk of chunks) {
    const bytes = chunk.toString('latin1');
    const text = rest + (encoding === 'base64' ? bytes.replace(BLANKS, '') : bytes);
    const end = encoding === 'base64' ? text.length - (text.length % 4) : endOfQuoted(text);
    rest = text.slice(end);
    if (end > 0) yield decode(text.slice(0, end));
  }
  if (rest !== '') yield decode(rest);
}

/** Returns where an escape may begin that the next chunk ends. */
function endOfQuoted(text: string): number {
  const last = text.lastIndexOf('=');
  return last < text.length - ESCAPE_BYTES || last < 0 ? text.length : last;
}
