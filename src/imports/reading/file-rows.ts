import { createReadStream, type ReadStream } from 'node:fs';
import { type Provider, isOwnHeader } from '../formats/index.js';
import { ImportFileGone, ImportUnreadable } from '../model/import.errors.js';
import { type CsvHeader, headOf, HeaderFinder } from './csv-head.js';
import { decoded } from './decode.js';
import { refuseMarkup } from './file-kind.js';
import { jsonRows, ndjsonRows } from './json-rows.js';
import { type RawRow, type RowLimits, unreadable } from './raw-rows.js';
import { textMember } from '../../platform/kernel/text/json-text.js';
import { CsvScanner, type CsvRow } from './csv-scanner.js';

/** The file of an import. */
export interface ImportFile {
  path: string;
  /** Name in the Encoding Standard. */
  encoding: string;
}

/** Reads the rows of a file once, as they are in it. */
export class FileRows {
  /** The names of the columns of a CSV, once its first rows were read; null for other files. */
  header: CsvHeader | null = null;
  private stream: ReadStream | null = null;

  constructor(
    private readonly file: ImportFile,
    private readonly kinds: Provider['kinds'],
    private readonly limits: RowLimits,
  ) {}

  /** Returns how much of the file was read, in bytes; some of that may wait. */
  get bytesRead(): number {
    return this.stream?.bytesRead ?? 0;
  }

  /** @throws ImportUnreadable, ImportTruncated, ImportWebPage, ImportWorkbook, ImportFileGone */
  async *read(): AsyncGenerator<RawRow> {
    this.stream = createReadStream(this.file.path);
    try {
      yield* await this.rowsOf(decoded(this.stream, this.file.encoding));
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? new ImportFileGone() : error;
    } finally {
      this.stream.destroy();
    }
  }

  /** Tells JSON from CSV by its first character. */
  private async rowsOf(text: AsyncGenerator<string>): Promise<AsyncGenerator<RawRow>> {
    let begin = '';
    while (begin.trim() === '') {
      const next: IteratorResult<string, unknown> = await text.next();
      if (next.done === true) throw new ImportUnreadable('The file is empty.');
      begin = next.value;
    }
    refuseMarkup(begin);
    const whole = withBegin(begin, text);
    if (this.kinds.includes('ndjson')) return ndjsonRows(whole, this.limits);
    if (this.kinds.includes('json') && /^\s*[[{]/.test(begin)) return jsonRows(whole, this.limits);
    return csvRows(whole, this.limits, (header) => {
      this.header = header;
    });
  }
}

/** Returns the beginning of a text and what follows it. */
async function* withBegin(begin: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield begin;
  yield* rest;
}

/**
 * Reads the rows of a CSV (RFC 4180) by the names in its first row, or in that below its titles. Empty cells
 * are left out, as the export has a column for a field that the submission did not have.
 * @param header told of the names, before any row
 * @throws ImportUnreadable, ImportTruncated
 */
export async function* csvRows(
  text: AsyncGenerator<string>,
  { chars }: RowLimits,
  header: (found: CsvHeader) => void,
): AsyncGenerator<RawRow> {
  const { separator, read, line } = await headOf(text);
  const finder = new HeaderFinder(separator);
  let names: string[] | null = null;
  const takeHeader = (found: CsvHeader) => {
    // Ours are exact: a field may be called as it likes.
    const columns = isOwnHeader(found.columns) ? found.columns : namesOf(found.columns);
    header({ ...found, columns });
    return columns;
  };
  for await (const row of rowsOf(again(read, text), new CsvScanner(separator, chars, line))) {
    if (names) {
      yield rowOf(names, row);
      continue;
    }
    const found = finder.take(row);
    if (!found) continue;
    names = takeHeader(found.header);
    for (const each of found.rows) yield rowOf(names, each);
  }
  if (names) return;
  const settled = finder.settle();
  if (!settled) throw new ImportUnreadable('The file has no line with the names of columns.');
  names = takeHeader(settled.header);
  for (const each of settled.rows) yield rowOf(names, each);
}

function rowOf(names: readonly string[], { cells, line }: CsvRow): RawRow {
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

/** Returns the names of columns; those without one are called by their number. */
function namesOf(cells: readonly string[]): string[] {
  return cells.map((cell, at) => cell.trim() || `Column ${at + 1}`);
}

async function* rowsOf(text: AsyncGenerator<string>, scanner: CsvScanner): AsyncGenerator<CsvRow> {
  for await (const chunk of text) yield* scanner.scan(chunk);
  yield* scanner.end();
}

async function* again(read: string, text: AsyncGenerator<string>): AsyncGenerator<string> {
  yield read;
  yield* text;
}
