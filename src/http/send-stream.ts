import type { Response } from 'express';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Sends a stream as the body. A client that stops reading ends the stream, and is no failure. */
export async function sendStream(response: Response, content: Readable): Promise<void> {
  try {
    await pipeline(content, response);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}
