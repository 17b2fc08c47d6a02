import type { Response } from 'express';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * Sends a stream, or pieces of text, as the body. When the client stops reading, it ends without an error.
 * Pieces are counted by their bytes: as objects, sixteen of them would wait in memory, each of any size.
 * @throws an error of the stream before its first byte, so that a status can still be sent
 */
export async function sendStream(
  response: Response,
  pieces: Readable | AsyncIterable<string>,
): Promise<void> {
  const content =
    pieces instanceof Readable ? pieces : Readable.from(pieces, { objectMode: false });
  try {
    await once(content, 'readable');
    await pipeline(content, response);
  } catch (error) {
    if (!response.headersSent) response.removeHeader('Content-Disposition');
    if ((error as { code?: unknown }).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}
