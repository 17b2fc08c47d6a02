import type { Response } from 'express';
import { contentDisposition } from '../../platform/http/content-disposition.js';
import { sendStream } from '../../platform/http/send-stream.js';
import { EXPORT_TYPES, exportContent, exportName, type ExportLayout } from './export-file.js';
import type { Export } from './export.service.js';

/**
 * Sends an export as a download, and aborts it when the client leaves. Field names may be collected before the first
 * byte, so a client may leave before a response exists.
 * @param begin the export, which ends once the signal is aborted
 */
export async function sendExport(
  response: Response,
  layout: ExportLayout,
  baseUrl: string,
  begin: (unwanted: AbortSignal) => Promise<Export>,
): Promise<void> {
  const unwanted = new AbortController();
  response.once('close', () => {
    unwanted.abort();
  });
  const source = await begin(unwanted.signal);
  const content = await exportContent(source, layout, baseUrl);
  response.set({
    'Content-Type': EXPORT_TYPES[layout.format],
    'Content-Disposition': contentDisposition(exportName(source.form, layout.format, new Date())),
    'Cache-Control': 'no-store',
  });
  await sendStream(response, content);
}
