import type { IncomingMessage } from 'node:http';
import type { TextDecoder } from 'node:util';
import { fileNameOf } from '../../files/file-name.js';
import type { ReceivedFile } from '../../files/file-store.js';
import { mediaTypeIn } from '../../files/media-type.js';
import { textMember } from '../../platform/kernel/text/json-text.js';
import { CHARSET_FIELD, decodeFormText, decodeText, decoderFor, decoderIn } from './charset.js';
import type { FileTaker } from '../../submissions/storage/file-quota.js';
import { dispositionParameters, extendedText } from './disposition.js';
import { isJsonObject, isJsonType, parseJsonBody } from './json-body.js';
import type { SubmissionLimits } from './submission-limits.js';
import {
  decodedBody,
  decodePart,
  transferEncodingIn,
  type TransferEncoding,
} from './transfer-encoding.js';
import { SubmissionAborted, UnreadableSubmission } from '../model/intake.errors.js';
import { MultipartParser, type Part } from './multipart-parser.js';
import type { RawSubmission } from '../model/special-fields.js';

/**
 * Most file inputs that a form may leave empty, besides its fields and files: browsers send a part for
 * each.
 */
const EMPTY_INPUTS_MAX = 100;
/**
 * Bytes for headers and boundaries: 1,700 for each of the 610 parts of the default limits; browsers need
 * 200.
 */
const OVERHEAD_BYTES = 1024 * 1024;

/** Returns the most bytes that a body has, with its files. */
export function mostBytes({ maxBodyBytes, maxUploadBytes }: SubmissionLimits): number {
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

  private async takeField(label: Label, part: Part): Promise<void> {
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

  private async takeFile(label: Label, part: Part): Promise<void> {
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
    const bytes = isField
      ? Buffer.from(field.value, 'latin1')
      : this.lone && Buffer.concat(this.lone);
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
    const decoder =
      this.declared ??
      decoderFor(this.fields.find(({ label }) => label.name === CHARSET_FIELD)?.value);
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
  const text = {
    name: extendedText(parameters.get('name*')),
    fileName: extendedText(parameters.get('filename*')),
  };
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

function isNamed({ fileName, text }: Label): boolean {
  return fileName !== '' || text.fileName !== null;
}

/** Tells whether a part is JSON from memory, which browsers call `blob`. */
function isBlobOfJson({ name, fileName, mediaType }: Label): boolean {
  return (fileName === 'blob' || name === 'blob') && isJsonType(mediaTypeIn(mediaType));
}
