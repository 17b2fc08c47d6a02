/** Tells Excel that a file is UTF-8 (byte order mark). */
export const BOM = '\uFEFF';
/**
 * Signs that make a spreadsheet run a cell, also after blanks and control characters (CWE-1236). Those after apostrophes
 * get another one, so that it can be taken away again.
 */
const FORMULA = /^'*(?:[\s\p{Cc}\p{Cf}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|[\t\r\n\0])/u;
/** A sign that another program may read as a separator, before the same. A look behind would be tried at each letter. */
const FORMULA_WITHIN = /[,;\t](?='*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;
const DEFUSED_WITHIN = /([,;\t])'(?='*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;

/** Characters that need quotes. */
const SPECIAL = /[",;\t\r\n]/;
/** Characters that are quoted at once. */
const SLICE_CHARS = 4 * 1024;
/** Matches most cells, which need neither defusing nor quotes. */
const PLAIN = /^(?:[\dA-Za-z][^",;\t\r\n]*)?$/;

/** Ends a line. */
export const LINE_END = '\r\n';

/** Writes cells as one line of character-separated values (RFC 4180). */
export function csvLine(cells: readonly string[], separator = ',') {
  return csvCells(cells, separator) + LINE_END;
}

/** Writes cells as a line that has no end yet. */
export function csvCells(cells: readonly string[], separator: string) {
  return cells.map((text) => (PLAIN.test(text) ? text : quote(defuse(text)))).join(separator);
}

/**
 * Puts an apostrophe before a cell that a spreadsheet would run as a formula. That includes harmless ones
 * such as `-5`; an export that must be exact is the JSON one.
 */
export function defuse(text: string) {
  const within = text.replace(FORMULA_WITHIN, "$&'");
  return FORMULA.test(text) ? `'${within}` : within;
}

/** Takes the apostrophes away that `csvCells` put into a cell. */
export function undefused(cell: string) {
  const text = cell.replace(DEFUSED_WITHIN, '$1');
  return text.startsWith("'") && FORMULA.test(text.slice(1)) ? text.slice(1) : text;
}

/**
 * Quotes a cell, slice by slice: what stands between the quotes of a megabyte would be a list of a hundred megabytes,
 * and `replaceAll` would chain as many strings as there are quotes.
 */
function quote(text: string) {
  if (!SPECIAL.test(text)) return text;
  if (!text.includes('"')) return `"${text}"`;
  const slices: string[] = [];
  for (let at = 0; at < text.length; at += SLICE_CHARS) {
    slices.push(
      text
        .slice(at, at + SLICE_CHARS)
        .split('"')
        .join('""'),
    );
  }
  return `"${slices.join('')}"`;
}
