import type { TextDecoder } from 'node:util';
import type { IncomingMessage } from 'node:http';
import { isJsonObject, isJsonType, parseJsonBody } from './json-body.js';
import type { SubmissionLimits } from './submission-limits.js';
import { decoderIn } from './charset.js';
import { textMember, type JsonMember } from '../../platform/index.js';
import { boundaryOf, showsBoundary } from './multipart-parser.js';
import type { RawSubmission } from '../model/special-fields.js';
import { SubmissionAborted, TextOfObject, UnknownEncoding, UnreadableSubmission } from '../model/intake.errors.js';
import { mostBytes, receiveMultipart } from './multipart.js';
import { peek } from '../../platform/http/index.js';
import type { FileTaker } from '../../submissions/storage/imported-submissions.service.js';
import { decodePairs, parseUrlencoded } from './urlencoded.js';

/** Characters that `URLSearchParams` and `encodeURIComponent` leave of a form. */
const ENCODED = /^(?:[\w.*+!'()~=&-]|%[\da-f]{2})+$/i;

/**
 * Tells whether a body is urlencoded, whatever its Content-Type says: several pairs, or an escape, and no character
 * that scripts escape. A form with `enctype="text/plain"` ends with a line break, which is one of those.
 */
function isUrlencoded(body: Buffer) {
  const text = body.toString('latin1', 0, body.length);
  if (!ENCODED.test(text)) return false;
  const pairs = text.split('&');
  return pairs.every((pair) => pair.includes('=')) && (pairs.length > 1 || text.includes('%'));
}

/**
 * Reads `text/plain` as a form with that `enctype` sends it (HTML Standard, section 4.10.21.8): a line `name=value` for
 * each field. A line without `=` continues the value before it, as the lines of a text area do.
 * @param declared the charset of the Content-Type, if it names one
 * @returns null when it does not begin with a field
 * @throws FieldLimitExceeded
 */
function parsePlainText(body: Buffer, declared: TextDecoder | null, limits: SubmissionLimits) {
  const lines = body.toString('latin1').split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  const raw: { name: string; lines: string[] }[] = [];
  for (const line of lines) {
    const equals = line.indexOf('=');
    const last = raw.at(-1);
    if (equals < 0) {
      if (!last) return null;
      last.lines.push(line);
    } else {
      if (raw.length === limits.maxFields) throw limits.tooManyFields();
      raw.push({ name: line.slice(0, equals), lines: [line.slice(equals + 1)] });
    }
  }
  const pairs = raw.map(({ name, lines }) => [name, lines.join('\r\n')] as const);
  return decodePairs(pairs, declared, limits);
}

const TOKEN = /^\s*([\w!#$%&'*+.^`|~/-]+)/;

/** Texts that scripts make of objects. */
const OBJECT_TEXT = /^"?\[object \w{1,40}\](?:,\[object \w{1,40}\])*"?$/;

/** Longest body that can be nothing but such a text, in bytes. */
const OBJECT_TEXT_MAX = 1_000;

/** Reads the body of a submission in any supported encoding. */
export class BodyReader {
  constructor(private readonly limits: SubmissionLimits) {}

  /**
   * Reads the body of a request. The body says what it is, and its Content-Type where that can be several things:
   * scripts set that by hand, and often wrongly.
   * @param files takes the submission's files
   * @throws UnknownEncoding, UnreadableSubmission, TextOfObject, SubmissionTooLarge, FieldLimitExceeded,
   * SubmissionAborted, and what `files` throws
   */
  async read(request: IncomingMessage, files: FileTaker): Promise<RawSubmission> {
    this.refuseCompressed(request);
    const contentType = request.headers['content-type'] ?? '';
    const type = (TOKEN.exec(contentType)?.[1] ?? '').toLowerCase();
    const declared = decoderIn(contentType);
    const announced = Number(request.headers['content-length'] ?? 0);
    if (announced > mostBytes(this.limits)) throw this.tooLarge(type);
    const beginning = await beginningOf(request);
    const boundary = boundaryOf(contentType, beginning);
    if (boundary !== null) {
      return withAnswers(await receiveMultipart(request, boundary, declared, this.limits, files));
    }
    if (type === 'multipart/form-data') {
      throw new UnreadableSubmission(
        'The multipart body has no boundary. For the owner: leave out the header Content-Type of the script; the browser adds it.',
      );
    }
    const body = await this.readAll(request);
    refuseTextOfObject(body);
    return withAnswers(this.membersOf(body, type, declared));
  }

  /** Returns the error for a body that announces too much, whatever it is. */
  private tooLarge(type: string) {
    return type === 'multipart/form-data' ? this.limits.filesTooBig() : this.limits.bodyTooLarge();
  }

  private membersOf(body: Buffer, type: string, declared: TextDecoder | null): RawSubmission {
    const isText = type === 'text/plain' || type === '';
    if (body.length === 0 && !isJsonType(type)) return ofPairs([]);
    if (type === 'application/x-www-form-urlencoded') {
      // `curl -d` and jQuery call JSON a form. No browser leaves a brace unescaped, so this is JSON.
      if (beginsWithBrace(body) && isJsonObject(body, declared)) return this.json(body, declared);
      return ofPairs(parseUrlencoded(body, declared, this.limits));
    }
    const hasBrace = beginsWithBrace(body);
    if (!hasBrace && isUrlencoded(body)) {
      return ofPairs(parseUrlencoded(body, declared, this.limits));
    }
    // `fetch` sends a JSON text without further headers as text/plain.
    if (isJsonType(type) || (hasBrace && (isText || isJsonObject(body, declared)))) {
      return this.json(body, declared);
    }
    const pairs = type === 'text/plain' ? parsePlainText(body, declared, this.limits) : null;
    if (pairs) return ofPairs(pairs);
    throw new UnknownEncoding(
      'Send the form as application/x-www-form-urlencoded, multipart/form-data or application/json. For the owner: leave out "enctype", or set it to "multipart/form-data" for files.',
    );
  }

  private json(body: Buffer, declared: TextDecoder | null): RawSubmission {
    return { members: parseJsonBody(body, declared, this.limits), files: [] };
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

  /** Refuses compressed bodies. No browser compresses what a form sends; unpacking would only help an attacker. */
  private refuseCompressed({ headers }: IncomingMessage) {
    const encoding = headers['content-encoding'] ?? 'identity';
    if (encoding !== 'identity') {
      throw new UnknownEncoding('Compressed bodies are not supported. Send the body uncompressed.');
    }
  }
}

/** Returns as much of the beginning of a body as shows what it is. */
async function beginningOf(request: IncomingMessage) {
  let beginning: Buffer = Buffer.alloc(0);
  await peek(request, ({ all }) => {
    beginning = all;
    return showsBoundary(all);
  });
  return beginning;
}

/** Refuses a body that is what scripts make of an object without writing it. @throws TextOfObject */
function refuseTextOfObject(body: Buffer) {
  if (body.length > OBJECT_TEXT_MAX) return;
  const text = body.toString('latin1').trim();
  if (/^(?:undefined|null)$/.test(text) || OBJECT_TEXT.test(text)) throw new TextOfObject(text);
}

/** Refuses what has nothing but texts of objects in it, as `refuseTextOfObject` does. @throws TextOfObject */
function withAnswers(sent: RawSubmission) {
  const textOf = ({ name, json }: JsonMember): string => (json === '""' ? name : json);
  const [first] = sent.members;
  const isNothing =
    first !== undefined && sent.files.length === 0 && sent.members.every((member) => OBJECT_TEXT.test(textOf(member)));
  if (isNothing) throw new TextOfObject(textOf(first).replaceAll('"', ''));
  return sent;
}

function ofPairs(pairs: [string, string][]): RawSubmission {
  return { members: pairs.map(([name, value]) => textMember(name, value)), files: [] };
}

function beginsWithBrace(body: Buffer) {
  const first = body[0] ?? 0;
  // Most begin with a letter, which lies between a blank and a brace.
  if (first > 0x20 && first < 0x7b) return false;
  return /^(?:\xef\xbb\xbf)?\s*\{/.test(body.toString('latin1', 0, 1024));
}
