import type { Response } from 'express';
import { contentDisposition } from './content-disposition.js';
import { RangeNotSatisfiable } from '../errors/http.errors.js';

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
export function sendRanges(
  response: Response,
  { id, path, name, type, size }: StoredFile,
): Promise<void> {
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
