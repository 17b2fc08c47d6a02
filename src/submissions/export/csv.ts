import { COLUMNS_MAX, Table } from './table.js';
import type { Export } from './export.service.js';

/** Tells Excel that the file is UTF-8 (byte order mark). */
const BOM = '\uFEFF';
/** Separators of cells, by their name in requests. */
export const SEPARATORS = { comma: ',', semicolon: ';', tab: '\t' } as const;
export type Separator = keyof typeof SEPARATORS;
/** Signs that make a spreadsheet run a cell, also after blanks and control characters (CWE-1236). */
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n\0]/u;
/** The same after a sign that another program may read as a separator. */
const FORMULA_WITHIN = /(?<=[,;\t])(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/gu;

/** Writes an export as character-separated values (RFC 4180), piece by piece. */
export async function* csv(source: Export, separator: Separator): AsyncGenerator<string> {
  const sign = SEPARATORS[separator];
  const line = (texts: string[]) => `${texts.map((text) => quote(defuse(text))).join(sign)}\r\n`;
  const table = new Table(await source.fieldNames(COLUMNS_MAX + 1));
  yield BOM + line(table.header);
  for await (const rows of source.rows()) {
    yield table
      .rows(rows)
      .map((cells) => line(cells.map(({ text }) => text)))
      .join('');
  }
}

/**
 * Puts an apostrophe before a cell that a spreadsheet would run as a formula. That includes harmless ones
 * such as `-5`; an export that must be exact is the JSON one.
 */
function defuse(text: string): string {
  const within = text.replace(FORMULA_WITHIN, "'");
  return FORMULA.test(text) ? `'${within}` : within;
}

function quote(text: string): string {
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
