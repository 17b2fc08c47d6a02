import type { Response } from 'express';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ApiOkResponse } from '@nestjs/swagger';
import { RangeNotSatisfiable } from '../errors/http.errors.js';

const NAME_MAX_LENGTH = 200;

/** Returns `attachment` with the file's name for old and new browsers (RFC 6266, RFC 8187), never with a path. */
export function contentDisposition(name: string) {
  const last = name.replace(/^.*[/\\]/s, '').slice(0, NAME_MAX_LENGTH);
  const base = last.replace(/[\p{Cc}\p{Cs}]/gu, '') || 'file';
  const ascii = base.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(base).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** Pieces of text that wait to be sent beside the one under way, each of any size. */
const WAITING_PIECES = 1;

/**
 * Sends a stream, or pieces of text, as the body. When the client stops reading, it ends without an error.
 * Texts stay texts until the socket takes them: as buffers of their own they would wait for the collector of garbage.
 * @throws an error of the stream before its first byte, so that a status can still be sent
 */
export async function sendStream(response: Response, pieces: Readable | AsyncIterable<string | Buffer>) {
  const content =
    pieces instanceof Readable ? pieces : Readable.from(pieces, { objectMode: true, highWaterMark: WAITING_PIECES });
  try {
    await once(content, 'readable');
    await pipeline(content, response);
  } catch (error) {
    if (!response.headersSent) response.removeHeader('Content-Disposition');
    if ((error as { code?: unknown }).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}

/** Ends work whose client has left. Nobody gets an answer. */
export class ClientLeft extends Error {
  constructor() {
    super('The client has left.');
  }
}

/** Returns a signal that is aborted with `ClientLeft` once the client has left; after the answer it means nothing. */
export function untilLeft(response: Response): AbortSignal {
  const left = new AbortController();
  if (response.closed) left.abort(new ClientLeft());
  response.once('close', () => {
    left.abort(new ClientLeft());
  });
  return left.signal;
}

/** A file that is written while it is sent. */
export interface Attachment {
  /** Media type. */
  type: string;
  name: string;
  content: Readable | AsyncIterable<string | Buffer>;
}

/**
 * Sends a file as a download, and aborts what writes it when the client leaves, which may be before there is a first
 * byte.
 * @param begin begins the file, which ends once the signal is aborted
 */
export async function sendAttachment(response: Response, begin: (unwanted: AbortSignal) => Promise<Attachment>) {
  const { type, name, content } = await begin(untilLeft(response));
  response.set({ 'Content-Type': type, 'Content-Disposition': contentDisposition(name), 'Cache-Control': 'no-store' });
  await sendStream(response, content);
}

/**
 * Sends a visitor's file so that no browser runs or shows it: as an attachment of unknown type, without
 * sniffing, in a sandbox.
 * @throws an error of the disk, or that of a file with another size than `file.size`; the answer is cut then, so
 * that nobody takes a part for the whole
 */
export async function sendDownload(
  response: Response,
  { file, bytes }: { file: { name: string; size: number }; bytes: Readable },
) {
  response.set({
    'Content-Type': 'application/octet-stream',
    'Content-Length': String(file.size),
    'Content-Disposition': contentDisposition(file.name),
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cache-Control': 'private, no-store',
  });
  const content = Readable.from(wholly(bytes, file.size), { objectMode: false });
  content.once('close', () => bytes.destroy());
  await sendStream(response, content);
}

/** Passes bytes on, and fails unless they are as many as was said: a reader would wait for the rest. */
async function* wholly(bytes: Readable, size: number): AsyncGenerator<Buffer> {
  let sent = 0;
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    sent += chunk.length;
    if (sent > size) break;
    yield chunk;
  }
  if (sent !== size) throw new Error(`A file of ${size} bytes has another size on disk.`);
}

/**
 * Sends what a visitor sent so that a browser shows it, such as a picture whose bytes say their type, and so that
 * nothing of it can run or load should it be opened by itself.
 */
export async function sendInline(response: Response, type: string, bytes: Readable) {
  response.set({
    'Content-Type': type,
    'Content-Disposition': 'inline',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': 'private, no-store',
  });
  await sendStream(response, bytes);
}

/** Describes a successful answer that is not JSON, to the OpenAPI document; `binary` for bytes. */
export const Sends = (mediaType: string, { binary = false } = {}) =>
  ApiOkResponse({ content: { [mediaType]: { schema: { type: 'string', ...(binary && { format: 'binary' }) } } } });

/** A file on disk that does not change under its name. */
export interface StoredFile {
  id: Buffer;
  path: string;
  name: string;
  /** Media type. */
  type: string;
  /** In bytes. */
  size: number;
}

/**
 * Sends a file as a download that can go on where it was broken off (RFC 9110: `Range`, `If-Range`, 206, 416).
 * @throws RangeNotSatisfiable, or the error of the disk, before the first byte
 */
export function sendRanges(response: Response, { id, path, name, type, size }: StoredFile): Promise<void> {
  response.set({
    'Content-Type': type,
    'Content-Disposition': contentDisposition(name),
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'private, no-store',
    ETag: `"${id.toString('hex')}"`,
  });
  return new Promise((resolve, reject) => {
    const options = { cacheControl: false, lastModified: false, dotfiles: 'allow' } as const;
    response.sendFile(path, options, (error?: NodeJS.ErrnoException & { status?: number }) => {
      if (!error || response.headersSent) {
        resolve();
        return;
      }
      response.removeHeader('Content-Disposition');
      response.removeHeader('ETag');
      reject(error.status === 416 ? new RangeNotSatisfiable(size) : error);
    });
  });
}
