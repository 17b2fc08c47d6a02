import { textMember } from '../../platform/kernel/text/json-text.js';
import { isOwnHeader } from '../formats/own-csv.js';
import { ImportTruncated, ImportUnreadable } from '../model/import.errors.js';
import { unreadable, type RawRow, type RowLimits } from './raw-rows.js';

/** Signs that separate cells, the most likely first. */
const SEPARATORS = [',', ';', '\t', '|'];
/** Most columns, whether they become fields or not. */
export const COLUMNS_MAX = 2_000;
/** Characters of the file in which its first line has to end. */
const HEADER_MAX_CHARS = 1024 * 1024;
/** Characters of it in which its separator is looked for. */
const SEPARATED_CHARS = 64 * 1024;

/** Most cells of a row, of which those behind the last column are empty. */
const CELLS_MAX = 10 * COLUMNS_MAX;

/** The first row of a CSV, with its separator. */
interface CsvHead {
  separator: string;
  /** Text that was read to find it. */
  read: string;
}

interface CsvRow {
  line: number;
  cells: string[];
}

/**
 * Reads the rows of a CSV (RFC 4180) by the names in its first row. Empty cells are left out, as the export has a column for
 * a field that the submission did not have.
 * @param header told of the names, before any row
 * @throws ImportUnreadable, ImportTruncated
 */
export async function* csvRows(
  text: AsyncGenerator<string>,
  { chars }: RowLimits,
  header: (columns: readonly string[]) => void,
): AsyncGenerator<RawRow> {
  const { separator, read } = await headOf(text);
  const scanner = new CsvScanner(separator, chars);
  let names: string[] | null = null;
  for await (const { line, cells } of rowsOf(again(read, text), scanner)) {
    if (names) yield rowOf(names, cells, line);
    else {
      // Ours are exact: a field may be called as it likes.
      names = isOwnHeader(cells) ? cells : namesOf(cells);
      header(names);
    }
  }
  if (!names) throw new ImportUnreadable('The file has no line with the names of columns.');
}

/** Cuts a CSV into rows and cells, however it comes in pieces. Rows without a value are passed over. */
class CsvScanner {
  /** Cells of the row so far, the text of the next one, their length and their first line. */
  private cells: string[] = [];
  private cell = '';
  private chars = 0;
  private begin = 1;
  /** `quote`: after one within a quoted cell, where the next sign tells whether it ends the cell. */
  private state: 'begin' | 'plain' | 'quoted' | 'quote' = 'begin';
  private isAfterReturn = false;
  private line = 1;
  private readonly ends: RegExp;

  constructor(
    private readonly separator: string,
    private readonly charsMax: number,
  ) {
    this.ends = new RegExp(`[${separator}\\r\\n]`, 'g');
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

  private take(text: string): void {
    this.cell += text;
    this.chars += text.length;
    if (this.chars > this.charsMax) this.refuse('is too long');
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.line++;
  }

  private endCell(): void {
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
function endOfQuoted(text: string, from: number): number {
  let quote = text.indexOf('"', from);
  while (quote >= 0 && text[quote + 1] === '"') quote = text.indexOf('"', quote + 2);
  return quote < 0 ? text.length : quote;
}

function rowOf(names: readonly string[], cells: readonly string[], line: number): RawRow {
  if (cells.length > names.length && cells.slice(names.length).some((cell) => cell !== '')) {
    const problem = `The row has ${cells.length} cells, and the file ${names.length} columns.`;
    return unreadable(line, problem);
  }
  const members = [];
  for (const [at, name] of names.entries()) {
    const cell = cells[at] ?? '';
    if (cell !== '') members.push(textMember(name, cell));
  }
  return { line, members, problem: null };
}

/** @throws ImportUnreadable */
function namesOf(cells: readonly string[]): string[] {
  if (cells.length > COLUMNS_MAX) {
    throw new ImportUnreadable(
      `The file has ${cells.length} columns. We read files of up to ${COLUMNS_MAX}.`,
    );
  }
  return cells.map((cell, at) => cell.trim() || `Column ${at + 1}`);
}

/** Reads as much of a file as it takes to find its separator. */
async function headOf(text: AsyncGenerator<string>): Promise<CsvHead> {
  let read = '';
  while (!/[\r\n]/.test(read) && read.length < HEADER_MAX_CHARS) {
    const next: IteratorResult<string, unknown> = await text.next();
    if (next.done === true) break;
    read += next.value;
  }
  const outside = read
    .slice(0, SEPARATED_CHARS)
    .split('"')
    .filter((_, at) => at % 2 === 0);
  const [first = ''] = outside.join('').split(/[\r\n]/, 1);
  const counts = SEPARATORS.map((sign) => first.split(sign).length);
  const separator = SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ',';
  return { separator, read };
}

async function* rowsOf(text: AsyncGenerator<string>, scanner: CsvScanner): AsyncGenerator<CsvRow> {
  for await (const chunk of text) yield* scanner.scan(chunk);
  yield* scanner.end();
}

async function* again(read: string, text: AsyncGenerator<string>): AsyncGenerator<string> {
  yield read;
  yield* text;
}
