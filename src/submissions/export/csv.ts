import { COLUMNS_MAX, Table } from './table.js';
import type { Export } from './export.service.js';

/** Tells Excel that the file is UTF-8. */
const BOM = '\uFEFF';

/** Comma-separated values (RFC 4180), piece by piece. */
export async function* csv(source: Export): AsyncGenerator<string> {
  const table = new Table(await source.fieldNames(COLUMNS_MAX + 1));
  yield BOM + line(table.header);
  for await (const rows of source.rows()) yield table.rows(rows).map(line).join('');
}

function line(cells: string[]): string {
  return `${cells.map(quote).join(',')}\r\n`;
}

function quote(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
