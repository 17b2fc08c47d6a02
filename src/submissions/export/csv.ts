import { COLUMNS_MAX, Table } from './table.js';
import type { Export } from './export.service.js';

/** Tells Excel that the file is UTF-8. */
const BOM = '\uFEFF';
/** What may stand between cells, by its name in requests. */
export const SEPARATORS = { comma: ',', semicolon: ';', tab: '\t' } as const;
export type Separator = keyof typeof SEPARATORS;
/** Signs that make a spreadsheet run a cell, also behind blanks and control characters (CWE-1236). */
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n\0]/u;
/** The same where a cell would begin for a reader that takes another separator. */
const FORMULA_WITHIN = /(?<=[,;\t])(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/gu;

/** Character-separated values (RFC 4180), piece by piece. */
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
 * A cell that a spreadsheet would run as a formula gets an apostrophe in front; this includes harmless
 * ones such as `-5`. Exports that must be exact are the JSON ones.
 */
function defuse(text: string): string {
  const within = text.replace(FORMULA_WITHIN, "'");
  return FORMULA.test(text) ? `'${within}` : within;
}

function quote(text: string): string {
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
