import type { Response } from 'express';
import type { Readable } from 'node:stream';
import { contentDisposition } from './content-disposition.js';
import { sendStream } from './send-stream.js';
import { untilLeft } from './until-left.js';

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
export async function sendAttachment(
  response: Response,
  begin: (unwanted: AbortSignal) => Promise<Attachment>,
): Promise<void> {
  const { type, name, content } = await begin(untilLeft(response));
  response.set({
    'Content-Type': type,
    'Content-Disposition': contentDisposition(name),
    'Cache-Control': 'no-store',
  });
  await sendStream(response, content);
}
