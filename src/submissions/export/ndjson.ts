import { submissionJson } from '../submission-json.js';
import type { Export } from './export.service.js';

/** Writes one submission a line, each exactly as the API shows it. */
export async function* ndjson(source: Export, baseUrl: string): AsyncGenerator<string> {
  for await (const rows of source.rows()) {
    yield rows.map((row) => `${submissionJson(row, baseUrl)}\n`).join('');
  }
}
