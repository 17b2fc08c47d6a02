import type { Response } from 'express';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Pieces of text that wait to be sent beside the one under way, each of any size. */
const WAITING_PIECES = 1;

/**
 * Sends a stream, or pieces of text, as the body. When the client stops reading, it ends without an error.
 * Texts stay texts until the socket takes them: as buffers of their own they would wait for the collector of garbage.
 * @throws an error of the stream before its first byte, so that a status can still be sent
 */
export async function sendStream(
  response: Response,
  pieces: Readable | AsyncIterable<string | Buffer>,
): Promise<void> {
  const content =
    pieces instanceof Readable
      ? pieces
      : Readable.from(pieces, { objectMode: true, highWaterMark: WAITING_PIECES });
  try {
    await once(content, 'readable');
    await pipeline(content, response);
  } catch (error) {
    if (!response.headersSent) response.removeHeader('Content-Disposition');
    if ((error as { code?: unknown }).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}
