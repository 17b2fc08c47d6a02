import { ImportTruncated, ImportUnreadable } from '../model/import.errors.js';

/** Most columns, whether they become fields or not. */
export const COLUMNS_MAX = 2_000;
/** Most cells of a row, of which those behind the last column are empty. */
const CELLS_MAX = 10 * COLUMNS_MAX;

/** A row of a CSV, with the line where it begins. */
export interface CsvRow {
  line: number;
  cells: string[];
}

/** Cuts a CSV into rows and cells, however it comes in pieces. Rows without a value are passed over. */
export class CsvScanner {
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
