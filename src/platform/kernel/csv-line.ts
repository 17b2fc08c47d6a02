/** Tells Excel that a file is UTF-8 (byte order mark). */
export const BOM = '\uFEFF';
/** Signs that make a spreadsheet run a cell, also after blanks and control characters (CWE-1236). */
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n\0]/u;
/** The same after a sign that another program may read as a separator. */
const FORMULA_WITHIN = /(?<=[,;\t])(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/gu;

/** What most cells are: neither to be defused nor quoted. */
const PLAIN = /^(?:[\dA-Za-z][^",;\t\r\n]*)?$/;

/** Writes cells as one line of character-separated values (RFC 4180). */
export function csvLine(cells: string[], separator = ','): string {
  const written = cells.map((text) => (PLAIN.test(text) ? text : quote(defuse(text))));
  return `${written.join(separator)}\r\n`;
}

/**
 * Puts an apostrophe before a cell that a spreadsheet would run as a formula. That includes harmless ones
 * such as `-5`; an export that must be exact is the JSON one.
 */
function defuse(text: string): string {
  const within = text.replace(FORMULA_WITHIN, "'");
  return FORMULA.test(text) ? `'${within}` : within;
}

/** Quotes a cell. `replaceAll` would chain as many strings, which takes the collector of garbage long to follow. */
function quote(text: string): string {
  return /[",;\t\r\n]/.test(text) ? `"${text.split('"').join('""')}"` : text;
}
