import type { IncomingMessage } from 'node:http';
import { textMember } from '../../platform/kernel/text/json-text.js';
import { charsetOf } from './charset.js';
import type { SubmissionLimits } from './submission-limits.js';
import { SubmissionAborted, UnknownEncoding } from '../model/intake.errors.js';
import { isJsonObject, parseJsonBody } from './json-body.js';
import { receiveMultipart } from './multipart.js';
import { parsePlainText } from './plain-text.js';
import type { RawSubmission } from '../model/raw-submission.js';
import { parseUrlencoded } from './urlencoded.js';
import type { FileTaker } from '../../submissions/storage/file-quota.js';

const TOKEN = /^\s*([\w!#$%&'*+.^`|~/-]+)/;

/** Reads the body of a submission in any supported encoding. */
export class BodyReader {
  constructor(private readonly limits: SubmissionLimits) {}

  /**
   * Reads the body of a request.
   * @param files takes those of the submission
   * @throws UnknownEncoding, UnreadableSubmission, SubmissionTooLarge, FieldLimitExceeded, SubmissionAborted, and
   * what `files` throws
   */
  async read(request: IncomingMessage, files: FileTaker): Promise<RawSubmission> {
    const contentType = request.headers['content-type'] ?? '';
    const type = (TOKEN.exec(contentType)?.[1] ?? '').toLowerCase();
    const charset = charsetOf(contentType);
    this.refuseCompressed(request);
    if (type === 'multipart/form-data') {
      return receiveMultipart(request, charset, this.limits, files);
    }
    if (type === 'application/x-www-form-urlencoded') {
      const body = await this.readAll(request);
      // `curl -d` and jQuery call JSON a form. No browser leaves a brace unescaped, so this is JSON.
      if (beginsWithBrace(body) && isJsonObject(body, charset)) return this.readJson(body, charset);
      return ofPairs(parseUrlencoded(body, charset, this.limits));
    }
    if (type === 'application/json' || type.endsWith('+json')) {
      return this.readJson(await this.readAll(request), charset);
    }
    if (type === 'text/plain' || type === '') {
      const body = await this.readAll(request);
      if (body.length === 0) return ofPairs([]);
      // `fetch` sends a JSON text without further headers as text/plain.
      if (beginsWithBrace(body)) return this.readJson(body, charset);
      const pairs = type === '' ? null : parsePlainText(body, charset, this.limits);
      if (pairs) return ofPairs(pairs);
    }
    throw new UnknownEncoding(
      'Send the form as application/x-www-form-urlencoded, multipart/form-data or application/json. For the owner: leave out "enctype", or set it to "multipart/form-data" for files.',
    );
  }

  private readJson(body: Buffer, charset: string | null): RawSubmission {
    return { members: parseJsonBody(body, charset, this.limits), files: [] };
  }

  private readAll(request: IncomingMessage): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const announced = Number(request.headers['content-length'] ?? 0);
      if (announced > this.limits.maxBodyBytes) throw this.limits.bodyTooLarge();
      // The visitor may have left while the form was looked up; the request emits no event for that now.
      if (request.destroyed) reject(new SubmissionAborted());
      const chunks: Buffer[] = [];
      let size = 0;
      request.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > this.limits.maxBodyBytes) reject(this.limits.bodyTooLarge());
        else chunks.push(chunk);
      });
      request.once('end', () => {
        const [first] = chunks;
        resolve(chunks.length === 1 && first ? first : Buffer.concat(chunks, size));
      });
      // Node reports nothing but the close when there is no listener for errors; so it is waited for also
      // after an error.
      request.once('close', () => {
        if (!request.complete) reject(new SubmissionAborted());
      });
    });
  }

  /**
   * Refuses compressed bodies. No browser compresses what a form sends; unpacking would only help an
   * attacker.
   */
  private refuseCompressed({ headers }: IncomingMessage): void {
    const encoding = headers['content-encoding'] ?? 'identity';
    if (encoding !== 'identity') {
      throw new UnknownEncoding('Compressed bodies are not supported. Send the body uncompressed.');
    }
  }
}

function ofPairs(pairs: [string, string][]): RawSubmission {
  return { members: pairs.map(([name, value]) => textMember(name, value)), files: [] };
}

function beginsWithBrace(body: Buffer): boolean {
  const first = body[0] ?? 0;
  // Most begin with a letter, which lies between a blank and a brace.
  if (first > 0x20 && first < 0x7b) return false;
  return /^(?:\xef\xbb\xbf)?\s*\{/.test(body.toString('latin1', 0, 1024));
}
