import type { Response } from 'express';
import { Readable } from 'node:stream';
import { contentDisposition } from './content-disposition.js';
import { sendStream } from './send-stream.js';

/**
 * Sends a visitor's file so that no browser runs or shows it: as an attachment of unknown type, without
 * sniffing, in a sandbox.
 * @throws an error of the disk, or that of a file with another size than `file.size`; the answer is cut then, so
 * that nobody takes a part for the whole
 */
export async function sendDownload(
  response: Response,
  { file, bytes }: { file: { name: string; size: number }; bytes: Readable },
): Promise<void> {
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
