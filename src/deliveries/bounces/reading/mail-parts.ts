/** Bytes of a message that are read: what matters comes before the mail that came back. */
export const MESSAGE_MAX_BYTES = 256 * 1024;
/** Most parts of a message, and most that are in each other. */
const PARTS_MAX = 50;
const DEPTH_MAX = 8;
/** Longest part of a text that is searched, in characters. */
const SEARCHED_MAX = 64 * 1024;

/** Header fields by their names in lower case; of a name that comes twice the first. */
export type Fields = ReadonlyMap<string, string>;

/** A part of a message that has no others. A message in it is one. */
interface MailPart {
  /** In lower case, such as `text/plain`. */
  type: string;
  text: string;
}

/** A message, as far as its beginning says. */
export interface Mail {
  fields: Fields;
  parts: MailPart[];
}

/** A part whose lines are gathered. */
interface Gathered {
  head: string[];
  /** Fields of the head, once it ended. */
  fields: Fields;
  body: string[];
}

const NO_FIELDS: Fields = new Map();
const begun = (): Gathered => ({ head: [], fields: NO_FIELDS, body: [] });

/**
 * Reads the structure of a message (RFC 2045, 2046) in time that grows with its length alone: each line is looked at once.
 * Lines before the first and behind the last part of several belong to none.
 */
export function readMail(message: Uint8Array): Mail {
  // One character a byte: each part says what its bytes are.
  const text = Buffer.from(message.subarray(0, MESSAGE_MAX_BYTES)).toString('latin1');
  const reader = new MailReader();
  for (const line of linesOf(text)) reader.read(line);
  reader.endPart();
  return { fields: reader.fields ?? NO_FIELDS, parts: reader.parts };
}

class MailReader {
  fields: Fields | null = null;
  readonly parts: MailPart[] = [];
  /** Boundaries of the parts around, the outermost first. */
  private readonly boundaries: string[] = [];
  /** Null between parts. */
  private current: Gathered | null = begun();
  private isHead = true;

  read(line: string): void {
    const at = line.startsWith('--') ? this.boundaries.findLastIndex((it) => isAt(line, it)) : -1;
    if (at >= 0) {
      this.endPart();
      const isEnd = line.trimEnd() === `--${this.boundaries[at] ?? ''}--`;
      this.boundaries.length = isEnd ? at : at + 1;
      this.current = isEnd ? null : begun();
      this.isHead = true;
    } else if (!this.current) return;
    else if (!this.isHead) this.current.body.push(line);
    else if (line === '') this.endHead(this.current);
    else this.current.head.push(line);
  }

  endPart(): void {
    if (this.current && this.isHead) this.endHead(this.current);
    if (this.current && this.parts.length < PARTS_MAX) this.parts.push(partOf(this.current));
    this.current = null;
  }

  private endHead(part: Gathered): void {
    this.isHead = false;
    part.fields = fieldsIn(part.head.join('\n'));
    this.fields ??= part.fields;
    const boundary = boundaryOf(part.fields);
    if (boundary === null || this.boundaries.length === DEPTH_MAX) return;
    this.boundaries.push(boundary);
    this.current = null;
  }
}

/** Reads header fields, as many as stand in the beginning of a text. */
export function fieldsIn(text: string): Fields {
  const fields = new Map<string, string>();
  const lines = linesOf(text.slice(0, SEARCHED_MAX).replace(/\r?\n[ \t]+/g, ' '));
  for (const line of lines) {
    const [, name = '', value = ''] = /^([\w-]+)[ \t]*:(.*)$/s.exec(line) ?? [];
    if (name === '' || fields.has(name.toLowerCase())) continue;
    fields.set(name.toLowerCase(), value.replace(/\s+/g, ' ').trim());
  }
  return fields;
}

/** Returns the lines of the beginning of a text. */
export function searchedLines(text: string): string[] {
  return linesOf(text.slice(0, SEARCHED_MAX));
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/);
}

function typeOf(fields: Fields): string {
  return fields.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? 'text/plain';
}

/** Returns the boundary between the parts of a part; null where it has none. */
function boundaryOf(fields: Fields): string | null {
  if (!typeOf(fields).startsWith('multipart/')) return null;
  const [, quoted, plain] =
    /;\s?boundary\s?=\s?(?:"([^"]+)"|([^\s;"]+))/i.exec(fields.get('content-type') ?? '') ?? [];
  return quoted ?? plain ?? null;
}

function isAt(line: string, boundary: string): boolean {
  const rest = line.startsWith(boundary, 2) ? line.slice(2 + boundary.length).trimEnd() : null;
  return rest === '' || rest === '--';
}

function partOf({ fields, body }: Gathered): MailPart {
  const encoding = fields.get('content-transfer-encoding')?.toLowerCase();
  // What is not UTF-8 becomes replacement characters.
  const text = new TextDecoder().decode(bytesOf(body, encoding));
  return { type: typeOf(fields), text };
}

function bytesOf(lines: readonly string[], encoding: string | undefined): Buffer {
  if (encoding === 'base64') return Buffer.from(lines.join(''), 'base64');
  const text = lines.join('\n');
  if (encoding !== 'quoted-printable') return Buffer.from(text, 'latin1');
  const decoded = text.replace(/=(?:\n|([\dA-F]{2}))/gi, (_, hex?: string) =>
    hex === undefined ? '' : String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(decoded, 'latin1');
}
