import type { Response } from 'express';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * Sends a stream as the body. When the client stops reading, the stream ends without an error.
 * @throws an error of the stream before its first byte, so that a status can still be sent
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
