import type { Response } from 'express';
import type { Readable } from 'node:stream';
import { contentDisposition } from './content-disposition.js';
import { sendStream } from './send-stream.js';

/**
 * Sends a file that a stranger supplied so that no browser ever runs or shows it: as an attachment of
 * unknown type, not to be guessed at, in a sandbox.
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
  await sendStream(response, bytes);
}
