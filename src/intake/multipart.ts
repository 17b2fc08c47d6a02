import busboy from 'busboy';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { TextDecoder } from 'node:util';
import type { FileStore, StoredFile } from '../files/file-store.js';
import type { JsonMember } from '../submissions/json-text.js';
import { decodeText, decoderFor } from './charset.js';
import type { FieldLimits } from './field-limits.js';
import { SubmissionAborted, UnreadableSubmission } from './intake.errors.js';
import type { ReceivedForm } from './received-form.js';

const HEADER_PAIRS_MAX = 32;
/** Longest text that is kept of a file's name and of what it says it is. */
const FILE_NAME_MAX = 1024;
const MEDIA_TYPE_MAX = 255;

/**
 * Reads `multipart/form-data` (RFC 7578), writing files to disk as they come. On any failure what was
 * written is removed before the error is thrown.
 * @param charset from the Content-Type, if it names one
 */
export function receiveMultipart(
  request: IncomingMessage,
  charset: string | null,
  limits: FieldLimits,
  store: FileStore,
): Promise<ReceivedForm> {
  return new MultipartReader(request, charset, limits, store).read();
}

/** busboy leaves out what a part does not say, unlike its types. */
interface PartInfo {
  filename?: string;
  mimeType?: string;
}

class MultipartReader {
  private readonly members: JsonMember[] = [];
  private readonly files: Promise<StoredFile | null>[] = [];
  private readonly decoder: TextDecoder | null;
  private fieldBytes = 0;
  private fileBytes = 0;
  private fail: (reason: unknown) => void = () => undefined;

  constructor(
    private readonly request: IncomingMessage,
    charset: string | null,
    private readonly limits: FieldLimits,
    private readonly store: FileStore,
  ) {
    this.decoder = charset === null ? null : decoderFor(charset);
  }

  async read(): Promise<ReceivedForm> {
    const parser = this.createParser();
    const aborted = () => {
      if (!this.request.complete) parser.destroy(new SubmissionAborted());
    };
    try {
      await new Promise<void>((resolve, reject) => {
        this.fail = reject;
        parser.on('field', this.onField);
        parser.on('file', this.onFile);
        parser.on('fieldsLimit', () => {
          this.fail(this.limits.tooManyFields());
        });
        parser.on('filesLimit', () => {
          this.fail(this.limits.tooManyFiles());
        });
        parser.on('partsLimit', () => {
          this.fail(this.limits.tooManyFields());
        });
        parser.on('error', (error) => {
          this.fail(asUnreadable(error));
        });
        parser.on('close', resolve);
        this.request.once('close', aborted);
        this.request.pipe(parser);
      });
      const files = await Promise.all(this.files);
      return { members: this.members, files: files.filter((file) => file !== null) };
    } catch (error) {
      this.request.unpipe(parser);
      parser.destroy();
      await this.discardFiles();
      throw error;
    } finally {
      this.request.off('close', aborted);
    }
  }

  private createParser(): busboy.Busboy {
    const { maxFields, maxFiles, maxNameBytes, maxValueBytes, maxFileBytes } = this.limits;
    try {
      return busboy({
        headers: this.request.headers,
        // One character a byte, decoded by `decodeText`: the parser would replace what is not UTF-8.
        defCharset: 'latin1',
        defParamCharset: 'latin1',
        preservePath: true,
        limits: {
          fieldNameSize: maxNameBytes + 1,
          fieldSize: maxValueBytes + 1,
          fields: maxFields,
          fileSize: maxFileBytes + 1,
          files: maxFiles,
          parts: maxFields + maxFiles + 1,
          headerPairs: HEADER_PAIRS_MAX,
        },
      });
    } catch {
      throw new UnreadableSubmission('The multipart body names no boundary.');
    }
  }

  private readonly onField = (name: string | undefined, value: string): void => {
    try {
      const field = this.limits.checkName(name ?? '');
      this.fieldBytes += field.length + value.length;
      this.limits.checkValue(field, value);
      if (this.fieldBytes > this.limits.maxBodyBytes) throw this.limits.bodyTooLarge();
      const text = decodeText(value, this.decoder);
      this.members.push({ name: decodeText(field, this.decoder), json: JSON.stringify(text) });
    } catch (error) {
      this.fail(error);
    }
  };

  private readonly onFile = (name: string | undefined, stream: Readable, info: PartInfo) => {
    const receiving = this.receive(name ?? '', stream, info);
    // Whoever fails first decides; `discardFiles` looks at the others.
    receiving.catch((error: unknown) => {
      this.fail(error);
    });
    this.files.push(receiving);
  };

  private async receive(
    name: string,
    stream: Readable,
    { filename, mimeType }: PartInfo,
  ): Promise<StoredFile | null> {
    const fileName = decodeText(filename ?? '', this.decoder).slice(0, FILE_NAME_MAX);
    const received = await this.store.receive(stream, this.meter(fileName));
    const field = decodeText(this.limits.checkName(name), this.decoder);
    if (received.size === 0 && fileName === '') {
      // What a browser sends for a file input that was left empty.
      await this.store.remove(received.id);
      return null;
    }
    return {
      ...received,
      field,
      name: fileName,
      mediaType: (mimeType ?? '').slice(0, MEDIA_TYPE_MAX),
    };
  }

  /** Counts the bytes of a file, and of all files, on their way to the disk. */
  private meter(fileName: string): (bytes: number) => void {
    let size = 0;
    return (bytes) => {
      size += bytes;
      this.fileBytes += bytes;
      if (size > this.limits.maxFileBytes) throw this.limits.fileTooBig(fileName);
      if (this.fileBytes > this.limits.maxUploadBytes) throw this.limits.filesTooBig();
    };
  }

  private async discardFiles(): Promise<void> {
    for (const result of await Promise.allSettled(this.files)) {
      if (result.status === 'fulfilled' && result.value) await this.store.remove(result.value.id);
    }
  }
}

function asUnreadable(error: unknown): unknown {
  if (error instanceof SubmissionAborted) return error;
  return new UnreadableSubmission('The multipart body ended early or is malformed.');
}
