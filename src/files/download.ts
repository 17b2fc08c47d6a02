import type { Response } from 'express';
import { sendStream } from '../platform/http/send-stream.js';
import type { OpenedFile } from './files.service.js';

const NAME_MAX_LENGTH = 200;

/**
 * Sends a file the visitor supplied so that no browser ever runs or shows it: as an attachment of
 * unknown type, not to be guessed at, in a sandbox.
 */
export async function sendDownload(response: Response, { file, bytes }: OpenedFile): Promise<void> {
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

/** `attachment` with the name for old and new browsers (RFC 6266, RFC 8187); never a path. */
export function contentDisposition(name: string): string {
  const last = name.replace(/^.*[/\\]/s, '').slice(0, NAME_MAX_LENGTH);
  const base = last.replace(/[\p{Cc}\p{Cs}]/gu, '') || 'file';
  const ascii = base.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(base).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
