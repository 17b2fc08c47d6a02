import type { IncomingMessage } from 'node:http';
import type { TextDecoder } from 'node:util';
import { fileNameOf } from '../../files/file-name.js';
import type { ReceivedFile } from '../../files/file-store.js';
import { mediaTypeIn } from '../../files/media-type.js';
import { textMember } from '../../platform/kernel/text/json-text.js';
import { CHARSET_FIELD, charsetOf, decodeText, decoderFor } from './charset.js';
import type { FileTaker } from '../../submissions/storage/file-quota.js';
import { dispositionParameters, extendedText } from './disposition.js';
import type { SubmissionLimits } from './submission-limits.js';
import { SubmissionAborted, UnreadableSubmission } from '../model/intake.errors.js';
import { MultipartParser, type Part } from './multipart-parser.js';
import type { RawSubmission } from '../model/raw-submission.js';

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

/**
 * Reads `multipart/form-data` (RFC 7578), and writes files to disk while they are received. On any error the
 * written files are removed before it is thrown.
 * @param charset from the Content-Type, if it names one
 * @throws UnreadableSubmission, SubmissionTooLarge, FieldLimitExceeded, SubmissionAborted
 */
export async function receiveMultipart(
  request: IncomingMessage,
  charset: string | null,
  limits: SubmissionLimits,
  store: FileTaker,
): Promise<RawSubmission> {
  const most = limits.maxBodyBytes + limits.maxUploadBytes + OVERHEAD_BYTES;
  if (Number(request.headers['content-length'] ?? 0) > most) throw limits.filesTooBig();
  const chunks = chunksOf(request, most, limits);
  try {
    const parser = new MultipartParser(
      request.headers['content-type'] ?? '',
      chunks,
      limits.maxNameBytes,
    );
    return await new MultipartReader(charset, limits, store).read(parser);
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
}

class MultipartReader {
  private readonly fields: { label: Label; value: string }[] = [];
  private readonly files: { label: Label; file: ReceivedFile }[] = [];
  private parts = 0;
  private fieldBytes = 0;
  private fileBytes = 0;

  constructor(
    private readonly charset: string | null,
    private readonly limits: SubmissionLimits,
    private readonly store: FileTaker,
  ) {}

  async read(parser: MultipartParser): Promise<RawSubmission> {
    try {
      for await (const part of parser.parts()) await this.take(part);
      return this.decoded();
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
    this.fields.push({ label, value: Buffer.concat(chunks, size).toString('latin1') });
  }

  private async takeFile(label: Label, part: Part): Promise<void> {
    if (this.files.length === this.limits.maxFiles) throw this.limits.tooManyFiles();
    const file = await this.store.receive(part.body(), this.meter(label.fileName ?? ''));
    this.files.push({ label, file });
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
    const declared =
      this.charset ?? this.fields.find(({ label }) => label.name === CHARSET_FIELD)?.value ?? '';
    const decoder = declared === '' ? null : decoderFor(declared);
    return {
      members: this.fields.map(({ label, value }) =>
        textMember(
          label.text.name ?? decodeText(label.name, decoder),
          decodeText(value, decoderOf(label) ?? decoder),
        ),
      ),
      files: this.files.map(({ label, file }) => ({
        ...file,
        field: label.text.name ?? decodeText(label.name, decoder),
        name: fileNameOf(label.text.fileName ?? decodeText(label.fileName ?? '', decoder)),
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
  };
}

function isNamed({ fileName, text }: Label): boolean {
  return fileName !== '' || text.fileName !== null;
}

/** Returns the decoder of a value's own charset, which libraries may declare; browsers do not. */
function decoderOf({ mediaType }: Label): TextDecoder | null {
  const charset = charsetOf(mediaType);
  return charset === null ? null : decoderFor(charset);
}
