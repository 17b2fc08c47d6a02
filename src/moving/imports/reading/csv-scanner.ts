import { textMember } from '../../../platform/index.js';
import { isOwnHeader } from '../formats/index.js';
import { ImportTruncated, ImportUnreadable } from '../model/import-options.js';
import { looksLikeTime } from '../times/moments.js';
import { beginningOf, type RawRow, type RowLimits, type Text, withBegin } from './json-rows.js';

/** Most columns, whether they become fields or not. */
export const COLUMNS_MAX = 2_000;
/** Most cells of a row, of which those behind the last column are empty. */
const CELLS_MAX = 10 * COLUMNS_MAX;

/** A row of a CSV, with the line where it begins. */
interface CsvRow {
  line: number;
  cells: string[];
}

/** Cuts a CSV into rows and cells, however it comes in pieces. Rows without a value are passed over. */
class CsvScanner {
  /** Cells of the row so far, the text of the next one, their length and their first line. */
  private cells: string[] = [];
  private cell = '';
  private chars = 0;
  private begin: number;
  /** `quote`: after one within a quoted cell, where the next sign tells whether it ends the cell. */
  private state: 'begin' | 'plain' | 'quoted' | 'quote' = 'begin';
  private isAfterReturn = false;
  private line: number;
  private readonly ends: RegExp;

  /** @param line the first one of the text that is scanned */
  constructor(
    private readonly separator: string,
    private readonly charsMax: number,
    line: number,
  ) {
    const escaped = `\\u${separator.charCodeAt(0).toString(16).padStart(4, '0')}`;
    this.ends = new RegExp(`[${escaped}\\r\\n]`, 'g');
    [this.begin, this.line] = [line, line];
  }

  /** @throws ImportUnreadable */
  *scan(chunk: string): Generator<CsvRow> {
    for (let at = 0; at < chunk.length;) {
      const sign = chunk.charAt(at);
      const isSecond = this.isAfterReturn && sign === '\n';
      this.isAfterReturn = false;
      if (isSecond) at++;
      else if (this.state === 'quoted') {
        const quote = endOfQuoted(chunk, at);
        this.take(chunk.slice(at, quote).replaceAll('""', '"'));
        if (quote === chunk.length) return;
        this.state = 'quote';
        at = quote + 1;
      } else if (sign === '"' && (this.state === 'quote' || this.state === 'begin')) {
        // The first of two ended what came before.
        if (this.state === 'quote') this.take(sign);
        this.state = 'quoted';
        at++;
      } else {
        this.ends.lastIndex = at;
        const end = this.ends.exec(chunk)?.index ?? chunk.length;
        // What follows a closing quote makes it one of the text.
        if (this.state === 'quote' && end > at) this.cell = `"${this.cell}"`;
        if (this.state !== 'quote' || end > at) this.state = 'plain';
        this.take(chunk.slice(at, end));
        at = end + 1;
        if (end === chunk.length) return;
        if (chunk.charAt(end) === this.separator) this.endCell();
        else {
          this.isAfterReturn = chunk.charAt(end) === '\r';
          yield* this.endRow();
        }
      }
    }
  }

  /** Returns the last row, which may lack its end. @throws ImportTruncated */
  *end(): Generator<CsvRow> {
    if (this.state === 'quoted') throw new ImportTruncated(this.begin);
    yield* this.endRow();
  }

  private take(text: string) {
    this.cell += text;
    this.chars += text.length;
    if (this.chars > this.charsMax) this.refuse('is too long');
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.line++;
  }

  private endCell() {
    this.cells.push(this.cell);
    this.cell = '';
    this.state = 'begin';
    if (this.cells.length > CELLS_MAX) this.refuse(`has more than ${CELLS_MAX} cells`);
  }

  private *endRow(): Generator<CsvRow> {
    this.endCell();
    const { begin: line, cells } = this;
    this.cells = [];
    this.chars = 0;
    this.begin = ++this.line;
    if (cells.some((cell) => cell !== '')) yield { line, cells };
  }

  private refuse(why: string): never {
    throw new ImportUnreadable(`The row that begins at line ${this.begin} ${why}.`);
  }
}

/** Returns where a quote stands alone, or where the text ends: two within a quoted cell are one. */
function endOfQuoted(text: string, from: number) {
  let quote = text.indexOf('"', from);
  while (quote >= 0 && text[quote + 1] === '"') quote = text.indexOf('"', quote + 2);
  return quote < 0 ? text.length : quote;
}

/** Signs that separate cells, the most likely first. */
const SEPARATORS = [',', ';', '\t', '|'];
/** Characters of a file, and lines, in which its separator is looked for. */
const SEPARATED_CHARS = 64 * 1024;
const SEPARATED_LINES = 20;
/** Most lines above the names of columns that have one cell alone. */
const TITLES_MAX = 10;
/** The first line of a file that tells Excel its separator. */
const SEPARATOR_LINE = /^"?sep=([^"\r\n])"?(?:\r\n|\r(?!$)|\n)/i;

/** The begin of a CSV, with its separator. */
interface CsvHead {
  separator: string;
  /** Text that was read to find it, without a line that names it. */
  read: string;
  /** Line where that text begins. */
  line: number;
}

/** The names of columns, and what stands above them. */
export interface CsvHeader {
  columns: string[];
  separator: string;
  /** Line of the names. */
  line: number;
  /** Cells that stand alone above it. */
  titles: string[];
}

/** Finds the separator in the beginning of a file. */
async function headOf(text: Text): Promise<CsvHead> {
  const read = await beginningOf(text, SEPARATED_CHARS);
  const [named, sign] = SEPARATOR_LINE.exec(read) ?? [];
  if (named === undefined) return { separator: separatorIn(read), read, line: 1 };
  return { separator: sign ?? ',', read: read.slice(named.length), line: 2 };
}

/** Returns the separator of the first line that has one outside of quotes. */
function separatorIn(read: string) {
  const outside = read
    .slice(0, SEPARATED_CHARS)
    .split('"')
    .filter((_, at) => at % 2 === 0);
  const lines = outside.join('').split(/[\r\n]+/, SEPARATED_LINES);
  const line = lines.find((each) => SEPARATORS.some((sign) => each.includes(sign))) ?? '';
  const counts = SEPARATORS.map((sign) => line.split(sign).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ',';
}

/**
 * Reads the rows of a CSV (RFC 4180) by the names in its first row, or in that below its titles. Empty cells
 * are left out, as the export has a column for a field that the submission did not have.
 * @param tell told of the names, before any row
 * @throws ImportUnreadable, ImportTruncated
 */
export async function* csvRows(
  text: Text,
  { chars }: RowLimits,
  tell: (header: CsvHeader) => void,
): AsyncGenerator<RawRow> {
  const { separator, read, line } = await headOf(text);
  const rows = scanned(withBegin(read, text), new CsvScanner(separator, chars, line));
  const { names, titles, first } = await headerAmong(rows);
  if (names.cells.length > COLUMNS_MAX) {
    throw new ImportUnreadable(`The file has ${names.cells.length} columns. We read files of up to ${COLUMNS_MAX}.`);
  }
  // Ours are exact: a field may be called as it likes. Others without a name are called by their number.
  const columns = isOwnHeader(names.cells)
    ? names.cells
    : names.cells.map((cell, at) => cell.trim() || `Column ${at + 1}`);
  tell({ columns, separator, line: names.line, titles });
  for (const row of first) yield rowOf(columns, row);
  for await (const row of rows) yield rowOf(columns, row);
}

async function* scanned(text: AsyncIterable<string>, scanner: CsvScanner): AsyncGenerator<CsvRow, undefined> {
  for await (const chunk of text) yield* scanner.scan(chunk);
  yield* scanner.end();
}

/**
 * Finds the names of columns among the first rows: rows of one cell above them are titles. Where none looks like names,
 * they are in the first row.
 * @returns them, and the rows that were read meanwhile
 * @throws ImportUnreadable
 */
async function headerAmong(rows: AsyncGenerator<CsvRow, undefined>) {
  const lonely: CsvRow[] = [];
  for (;;) {
    const { value: row } = await rows.next();
    if (row && filledOf(row).length === 1 && lonely.length < TITLES_MAX) {
      lonely.push(row);
      continue;
    }
    if (row && (lonely.length === 0 || saysNames(row))) {
      return { names: row, titles: lonely.flatMap(filledOf), first: [] };
    }
    const [names, ...first] = row ? [...lonely, row] : lonely;
    if (names) return { names, titles: [], first };
    throw new ImportUnreadable('The file has no line with the names of columns.');
  }
}

function rowOf(names: readonly string[], { cells, line }: CsvRow): RawRow {
  if (cells.slice(names.length).some((cell) => cell !== '')) {
    const reason = `The row has ${cells.length} cells, and the file ${names.length} columns.`;
    return { line, reason };
  }
  const members = names.flatMap((name, at) => {
    const cell = cells[at] ?? '';
    return cell === '' ? [] : [textMember(name, cell)];
  });
  return { line, members };
}

function filledOf({ cells }: CsvRow) {
  return cells.filter((cell) => cell.trim() !== '');
}

/** Tells names of columns from values: no two are alike, and none is a number, a time or an address. */
function saysNames(row: CsvRow) {
  const filled = filledOf(row).map((cell) => cell.trim());
  const isValue = (cell: string) => /^[\d.,+-]+$/.test(cell) || cell.includes('@') || looksLikeTime(cell);
  return filled.length > 1 && new Set(filled).size === filled.length && !filled.some(isValue);
}
