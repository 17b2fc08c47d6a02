import type { IncomingMessage } from 'node:http';
import type { TextDecoder } from 'node:util';
import { decodeText, decoderFor, CHARSET_FIELD, decodeFormText, decoderIn } from './charset.js';
import type { RawSubmission } from '../model/special-fields.js';
import { UnreadableSubmission, SubmissionAborted } from '../model/intake.errors.js';
import { fileNameOf, type ReceivedFile, mediaTypeIn } from '../../submissions/files/file-store.js';
import { textMember } from '../../platform/index.js';
import type { FileTaker } from '../../submissions/storage/imported-submissions.service.js';
import { isJsonObject, isJsonType, parseJsonBody } from './json-body.js';
import type { SubmissionLimits } from './submission-limits.js';
import { MultipartParser, type Part } from './multipart-parser.js';

/** Escapes that browsers write for the three characters that would end a name. */
const BROWSER_ESCAPES = new Map([
  ['%22', '"'],
  ['%0D', '\r'],
  ['%0A', '\n'],
]);
/** The next parameter, or a semicolon without one. Sticky, so that no text is read twice. */
const PLAIN = /;\s*(?:([\w-]+\*?)\s*=\s*(?:"([^"]*)"|([^";\s]+))\s*)?/y;
const ESCAPED = /;\s*(?:([\w-]+\*?)\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^";\s]+))\s*)?/sy;

/** The two ways of writing parameters, and how to decode each. */
const DIALECTS = [
  // The URL and HTML standards: a quote is written %22, and a backslash is just itself.
  { grammar: PLAIN, undo: (text: string) => text.replace(/%(?:22|0D|0A)/g, browserEscape) },
  // Mail (RFC 822), as curl still does: a backslash before a quote and before a backslash.
  { grammar: ESCAPED, undo: (text: string) => text.replace(/\\(.)/gs, '$1') },
];

/**
 * Reads the parameters of a `Content-Disposition: form-data; name="a"; filename="b"`, one character a byte.
 * Takes time in proportion to its length.
 * @returns null when it is malformed
 */
export function dispositionParameters(header: string): Map<string, string> | null {
  const start = header.indexOf(';');
  const text = start < 0 ? '' : header.slice(start);
  for (const { grammar, undo } of DIALECTS) {
    const parameters = parse(text, grammar, undo);
    if (parameters) return parameters;
  }
  return null;
}

function parse(text: string, grammar: RegExp, undo: (quoted: string) => string) {
  const parameters = new Map<string, string>();
  let end = 0;
  for (grammar.lastIndex = 0; end < text.length; end = grammar.lastIndex) {
    const found = grammar.exec(text);
    if (!found) return null;
    const [, name, quoted, plain = ''] = found;
    if (name !== undefined) parameters.set(name.toLowerCase(), quoted === undefined ? plain : undo(quoted));
  }
  return parameters;
}

/**
 * Returns the text of an extended parameter such as `UTF-8''na%C3%AFve.txt` (RFC 8187).
 * @returns null when it is malformed
 */
export function extendedText(value: string | undefined): string | null {
  const [, charset, encoded] = /^([\w-]+)'[^']*'(.*)$/s.exec(value ?? '') ?? [];
  if (charset === undefined || encoded === undefined) return null;
  const bytes = encoded.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return decodeText(bytes, decoderFor(charset));
}

function browserEscape(code: string) {
  return BROWSER_ESCAPES.get(code) ?? code;
}

const BASE64 = /^[a-z\d+/]*={0,2}$/i;
const BLANKS = /[ \t\r\n]+/g;
/** A byte as quoted-printable writes it, or the end of a line that goes on. */
const QUOTED = /=(?:([\da-f]{2})|[ \t]{0,80}\r?\n)/gi;
/** Bytes at the end of a chunk in which an escape may have begun. */
const ESCAPE_BYTES = 84;

/** A way in which mail libraries encode the parts of a form (RFC 2045, section 6). */
type TransferEncoding = 'base64' | 'quoted-printable';

/** Reads the header of a part; null for bytes as they are. */
function transferEncodingIn(header: string | undefined): TransferEncoding | null {
  const name = header?.trim().toLowerCase();
  return name === 'base64' || name === 'quoted-printable' ? name : null;
}

/** Decodes a part that is whole; returns null where it is not so encoded. */
function decodePart(bytes: Buffer, encoding: TransferEncoding): Buffer | null {
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
async function* decodedBody(chunks: AsyncIterable<Buffer>, encoding: TransferEncoding): AsyncGenerator<Buffer> {
  let rest = '';
  let hasEnded = false;
  const decode = (text: string): Buffer => {
    const bytes = hasEnded && text !== '' ? null : decodePart(Buffer.from(text, 'latin1'), encoding);
    if (bytes === null) {
      throw new UnreadableSubmission('A part of the multipart body says that it is base64, and is not.');
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
function endOfQuoted(text: string) {
  const last = text.lastIndexOf('=');
  return last < text.length - ESCAPE_BYTES || last < 0 ? text.length : last;
}

/** Most file inputs that a form may leave empty, besides its fields and files: browsers send a part for each. */
const EMPTY_INPUTS_MAX = 100;
/** Bytes for headers and boundaries: 1,700 for each of the 610 parts of the default limits; browsers need 200. */
const OVERHEAD_BYTES = 1024 * 1024;

/** Returns the most bytes that a body has, with its files. */
export function mostBytes({ maxBodyBytes, maxUploadBytes }: SubmissionLimits) {
  return maxBodyBytes + maxUploadBytes + OVERHEAD_BYTES;
}

/**
 * Reads `multipart/form-data` (RFC 7578), and writes files to disk while they are received. On any error the
 * written files are removed before it is thrown.
 * @param declared the charset of the Content-Type, if it names one
 * @throws UnreadableSubmission, SubmissionTooLarge, FieldLimitExceeded, SubmissionAborted
 */
export async function receiveMultipart(
  request: IncomingMessage,
  boundary: string,
  declared: TextDecoder | null,
  limits: SubmissionLimits,
  store: FileTaker,
): Promise<RawSubmission> {
  const most = mostBytes(limits);
  const chunks = chunksOf(request, most, limits);
  try {
    const parser = new MultipartParser(boundary, chunks, limits.maxNameBytes);
    return await new MultipartReader(declared, limits, store).read(parser);
  } finally {
    await chunks.return(undefined);
    request.resume(); // discards the bytes after the last part
  }
}

async function* chunksOf(
  request: IncomingMessage,
  most: number,
  limits: SubmissionLimits,
): AsyncGenerator<Buffer, undefined> {
  let bytes = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      bytes += (chunk as Buffer).length;
      if (bytes > most) throw limits.filesTooBig();
      yield chunk as Buffer;
    }
  } catch (error) {
    throw request.destroyed && !request.complete ? new SubmissionAborted() : error;
  }
}

/** The values of a part's headers. Names have one character a byte unless `text` has them. */
interface Label {
  name: string;
  /** Null when the part is not a file. */
  fileName: string | null;
  /** The names as text, where the client sent them as such. */
  text: { name: string | null; fileName: string | null };
  mediaType: string;
  encoding: TransferEncoding | null;
}

class MultipartReader {
  private readonly fields: { label: Label; value: string }[] = [];
  private readonly files: { label: Label; file: ReceivedFile }[] = [];
  private parts = 0;
  private fieldBytes = 0;
  private fileBytes = 0;
  /** The bytes of a first part that may hold all fields as JSON; null for none. */
  private lone: Buffer[] | null = null;

  constructor(
    private readonly declared: TextDecoder | null,
    private readonly limits: SubmissionLimits,
    private readonly store: FileTaker,
  ) {}

  async read(parser: MultipartParser): Promise<RawSubmission> {
    try {
      for await (const part of parser.parts()) await this.take(part);
      return (await this.loneJson()) ?? this.decoded();
    } catch (error) {
      for (const { file } of this.files) await this.store.remove(file.id);
      throw error;
    }
  }

  private async take(part: Part): Promise<void> {
    const { maxFields, maxFiles } = this.limits;
    if (++this.parts > maxFields + maxFiles + EMPTY_INPUTS_MAX) throw this.limits.tooManyFields();
    const label = labelOf(part);
    this.limits.checkName(label.text.name ?? label.name);
    if (label.fileName === null) await this.takeField(label, part);
    // A browser sends an empty, unnamed file for a file input that was left empty.
    else if (isNamed(label) || !(await part.isEmpty())) await this.takeFile(label, part);
  }

  private async takeField(label: Label, part: Part) {
    const { maxFields, maxBodyBytes } = this.limits;
    const maxValueBytes = this.limits.maxValueBytesOf(label.name);
    if (this.fields.length === maxFields) throw this.limits.tooManyFields();
    this.fieldBytes += label.name.length;
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of part.body()) {
      size += chunk.length;
      this.fieldBytes += chunk.length;
      if (size > maxValueBytes) throw this.limits.valueTooLong(decodeText(label.name, null));
      if (this.fieldBytes > maxBodyBytes) throw this.limits.bodyTooLarge();
      chunks.push(chunk);
    }
    const bytes = Buffer.concat(chunks, size);
    const plain = label.encoding && decodePart(bytes, label.encoding);
    this.fields.push({ label, value: (plain ?? bytes).toString('latin1') });
  }

  private async takeFile(label: Label, part: Part) {
    if (this.files.length === this.limits.maxFiles) throw this.limits.tooManyFiles();
    const { encoding } = label;
    const content = encoding ? decodedBody(part.body(), encoding) : part.body();
    if (this.parts === 1 && isBlobOfJson(label)) this.lone = [];
    const noted = this.lone ? this.noted(content, this.lone) : content;
    const file = await this.store.receive(noted, this.meter(label.fileName ?? ''));
    this.files.push({ label, file });
  }

  /** Passes on the bytes of a part, and notes them as far as they may hold all fields. */
  private async *noted(content: AsyncIterable<Buffer>, chunks: Buffer[]): AsyncGenerator<Buffer> {
    let left = this.limits.maxBodyBytes;
    for await (const chunk of content) {
      left -= chunk.length;
      if (left < 0) this.lone = null;
      else chunks.push(chunk);
      yield chunk;
    }
  }

  /** Returns what the only part holds where a script put all fields into it as JSON. */
  private async loneJson(): Promise<RawSubmission | null> {
    if (this.parts !== 1) return null;
    const [field] = this.fields;
    const isField = field !== undefined && isBlobOfJson(field.label);
    const bytes = isField ? Buffer.from(field.value, 'latin1') : this.lone && Buffer.concat(this.lone);
    if (!bytes || !isJsonObject(bytes, this.declared)) return null;
    const members = parseJsonBody(bytes, this.declared, this.limits);
    for (const { file } of this.files) await this.store.remove(file.id);
    return { members, files: [] };
  }

  /** Returns a function that counts bytes on their way to the disk, of one file and of all files. */
  private meter(fileName: string): (bytes: number) => void {
    let size = 0;
    return (bytes) => {
      size += bytes;
      this.fileBytes += bytes;
      if (size > this.limits.maxFileBytes) {
        throw this.limits.fileTooBig(decodeText(fileName, null));
      }
      if (this.fileBytes > this.limits.maxUploadBytes) throw this.limits.filesTooBig();
    };
  }

  /** Returns the fields as text. Decoding comes last, since any field may name the charset of all. */
  private decoded(): RawSubmission {
    const decoder = this.declared ?? decoderFor(this.fields.find(({ label }) => label.name === CHARSET_FIELD)?.value);
    return {
      members: this.fields.map(({ label, value }) =>
        textMember(
          label.text.name ?? decodeFormText(label.name, decoder),
          decodeFormText(value, decoderIn(label.mediaType) ?? decoder),
        ),
      ),
      files: this.files.map(({ label, file }) => ({
        ...file,
        field: label.text.name ?? decodeFormText(label.name, decoder),
        name: fileNameOf(label.text.fileName ?? decodeFormText(label.fileName ?? '', decoder)),
        mediaType: mediaTypeIn(label.mediaType),
      })),
    };
  }
}

function labelOf({ headers }: Part): Label {
  const parameters = dispositionParameters(headers.get('content-disposition') ?? '');
  if (!parameters) {
    throw new UnreadableSubmission('The multipart body has a part with an unreadable name.');
  }
  const mediaType = headers.get('content-type') ?? '';
  const text = { name: extendedText(parameters.get('name*')), fileName: extendedText(parameters.get('filename*')) };
  const fileName = parameters.get('filename') ?? (text.fileName === null ? null : '');
  const isFile = fileName !== null || /^application\/octet-stream\b/i.test(mediaType);
  return {
    name: parameters.get('name') ?? '',
    fileName: isFile ? (fileName ?? '') : null,
    text,
    mediaType,
    encoding: transferEncodingIn(headers.get('content-transfer-encoding')),
  };
}

function isNamed({ fileName, text }: Label) {
  return fileName !== '' || text.fileName !== null;
}

/** Tells whether a part is JSON from memory, which browsers call `blob`. */
function isBlobOfJson({ name, fileName, mediaType }: Label) {
  return (fileName === 'blob' || name === 'blob') && isJsonType(mediaTypeIn(mediaType));
}
