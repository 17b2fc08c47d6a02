import type { Response } from 'express';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * Sends a stream as the body. A client that stops reading ends the stream, and is no failure.
 * @throws what fails before the first byte, with the answer still to be given
 */
export async function sendStream(response: Response, content: Readable): Promise<void> {
  try {
    await once(content, 'readable');
    await pipeline(content, response);
  } catch (error) {
    if (!response.headersSent) response.removeHeader('Content-Disposition');
    if ((error as { code?: unknown }).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}
