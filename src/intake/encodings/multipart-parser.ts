import { UnreadableSubmission } from '../model/intake.errors.js';

const CRLF = '\r\n';
/** Most headers of one part. */
const HEADER_LINES_MAX = 32;
/** Longest headers of a part in bytes, besides the name of its field. */
const HEADER_BYTES_MAX = 4 * 1024;
/** Longest form of a character in a name, in bytes: a browser writes `%22` for a quote. */
const ESCAPED_BYTES_MAX = 3;

/** One part of a multipart body. Headers have one character a byte. */
export interface Part {
  /** By their names in lower case. */
  headers: Map<string, string>;
  /** Tells whether its body has no bytes. Ask before reading any. */
  isEmpty(): Promise<boolean>;
  /** Yields the bytes of its body as they come; unread ones are skipped. */
  body(): AsyncGenerator<Buffer>;
}

/**
 * Divides a multipart body (RFC 2046, section 5.1) into its parts while it is received. Keeps only the
 * current chunk in memory, and reads nothing before it is asked for.
 */
export class MultipartParser {
  private readonly delimiter: Buffer;
  private readonly maxHeaderBytes: number;
  /** Starts with a line break, which belongs to a delimiter and may be missing before the first. */
  private buffer: Buffer = Buffer.from(CRLF);
  private inPart = true;

  /**
   * Prepares reading; nothing is read yet.
   * @param chunks the body
   * @param maxNameBytes longest name of a field in bytes; headers may be longer by as much
   */
  constructor(
    boundary: string,
    private readonly chunks: AsyncIterator<Buffer, undefined>,
    maxNameBytes: number,
  ) {
    this.maxHeaderBytes = HEADER_BYTES_MAX + ESCAPED_BYTES_MAX * maxNameBytes;
    this.delimiter = Buffer.from(`${CRLF}--${boundary}`, 'latin1');
  }

  /**
   * Yields the parts in order.
   * @throws UnreadableSubmission
   */
  async *parts(): AsyncGenerator<Part> {
    await this.skipPart(); // text before the first part
    while (await this.anotherFollows()) {
      const headers = await this.headers();
      this.inPart = true;
      yield { headers, isEmpty: () => this.isAtDelimiter(), body: () => this.body() };
      await this.skipPart();
    }
  }

  private async skipPart() {
    while ((await this.nextOfPart()) !== null);
  }

  private async *body(): AsyncGenerator<Buffer> {
    for (;;) {
      const bytes = await this.nextOfPart();
      if (bytes === null) return;
      yield bytes;
    }
  }

  /** Returns some bytes of the part; null when the delimiter after it has been read. */
  private async nextOfPart() {
    while (this.inPart) {
      const end = this.buffer.indexOf(this.delimiter);
      if (end >= 0) {
        const last = this.take(end);
        this.take(this.delimiter.length);
        this.inPart = false;
        return last;
      }
      // The last bytes may be the beginning of a delimiter.
      const certain = this.buffer.length - this.delimiter.length + 1;
      if (certain > 0) return this.take(certain);
      await this.readMore();
    }
    return null;
  }

  private async isAtDelimiter() {
    while (this.buffer.length < this.delimiter.length) await this.readMore();
    return this.buffer.subarray(0, this.delimiter.length).equals(this.delimiter);
  }

  /** Reads the rest of a delimiter's line: `--` after the last part, blanks after any other. */
  private async anotherFollows() {
    while (this.buffer.length < 2) await this.readMore();
    if (this.buffer.toString('latin1', 0, 2) === '--') return false;
    if ((await this.line(this.maxHeaderBytes)).trim() !== '') throw malformed();
    return true;
  }

  private async headers() {
    const headers = new Map<string, string>();
    let left = this.maxHeaderBytes;
    for (let count = 0; count <= HEADER_LINES_MAX; count++) {
      const line = await this.line(left);
      if (line === '') return headers;
      left -= line.length;
      const colon = line.indexOf(':');
      if (colon <= 0) throw malformed();
      headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
    }
    throw malformed();
  }

  private async line(maxBytes: number) {
    for (;;) {
      const end = this.buffer.indexOf(CRLF);
      if (end > maxBytes || (end < 0 && this.buffer.length > maxBytes)) throw malformed();
      if (end >= 0) return this.take(end + CRLF.length).toString('latin1', 0, end);
      await this.readMore();
    }
  }

  private take(bytes: number) {
    const taken = this.buffer.subarray(0, bytes);
    this.buffer = this.buffer.subarray(bytes);
    return taken;
  }

  private async readMore() {
    const { done, value } = await this.chunks.next();
    if (done === true) throw malformed();
    this.buffer = this.buffer.length === 0 ? value : Buffer.concat([this.buffer, value]);
  }
}

function malformed() {
  return new UnreadableSubmission('The multipart body ended early or is malformed.');
}

/** Bytes of a body in which its first part shows: the longest name of a field would fit into a quarter. */
const FIRST_PART_BYTES = 16 * 1024;
const DECLARED = /;\s*boundary\s*=\s*(?:"([^"]{1,200})"|([^;\s"]{1,200}))/i;
/** The first line of a multipart body. */
const DELIMITER = /^--([\x21-\x7e](?:[\x20-\x7e]{0,198}[\x21-\x7e])?)$/;
const FORM_DATA = /^content-disposition:[ \t]*form-data\b/i;

/** Tells whether so much of a body has come that `boundaryOf` sees what it is. */
export function showsBoundary(beginning: Buffer) {
  if (beginning.length < 2) return false;
  return (
    beginning.length >= FIRST_PART_BYTES ||
    beginning.toString('latin1', 0, 2) !== '--' ||
    beginning.includes('\r\n\r\n')
  );
}

/**
 * Returns the boundary of a multipart body: as the body itself says where it begins with a field, whatever its
 * Content-Type is, else as that says. Nothing else that a page sends begins so.
 * @returns null for another body
 */
export function boundaryOf(contentType: string, beginning: Buffer): string | null {
  const [, quoted, plain] = DECLARED.exec(contentType) ?? [];
  const declared = quoted ?? plain ?? null;
  return boundaryIn(beginning) ?? declared;
}

function boundaryIn(beginning: Buffer) {
  if (beginning.toString('latin1', 0, 2) !== '--') return null;
  const head = beginning.toString('latin1', 0, FIRST_PART_BYTES);
  const end = head.indexOf('\r\n\r\n');
  const [first = '', ...headers] = head.slice(0, Math.max(end, 0)).split('\r\n');
  const boundary = DELIMITER.exec(first.trimEnd())?.[1];
  if (boundary === undefined || !headers.some((line) => FORM_DATA.test(line))) return null;
  return boundary;
}
