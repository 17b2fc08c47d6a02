import type { Response } from 'express';
import type { Readable } from 'node:stream';
import { sendStream } from './send-stream.js';

/**
 * Sends what a visitor sent so that a browser shows it, such as a picture whose bytes say their type, and so that
 * nothing of it can run or load should it be opened by itself.
 */
export async function sendInline(response: Response, type: string, bytes: Readable): Promise<void> {
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
