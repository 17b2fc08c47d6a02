import { parse, type CsvError, type Info } from 'csv-parse';
import { Readable } from 'node:stream';
import { textMember } from '../../platform/kernel/text/json-text.js';
import { ImportTruncated, ImportUnreadable } from '../model/import.errors.js';
import { ROW_MAX_CHARS, unreadable, type RawRow } from './raw-rows.js';

/** Signs that separate cells, the most likely first. */
const SEPARATORS = [',', ';', '\t', '|'];
/** Most columns, whether they become fields or not. */
export const COLUMNS_MAX = 2_000;
/** Characters of the file in which its first line has to end. */
const HEADER_MAX_CHARS = 1024 * 1024;

/** The first row of a CSV, with its separator. */
interface CsvHead {
  separator: string;
  /** Text that was read to find it. */
  read: string;
}

interface Parsed {
  record: string[];
  info: Info;
}

/**
 * Reads the rows of a CSV (RFC 4180) by the names in its first row. Empty cells are left out, as the export has a column for
 * a field that the submission did not have.
 * @param header told of the names, before any row
 * @throws ImportUnreadable, ImportTruncated
 */
export async function* csvRows(
  text: AsyncGenerator<string>,
  header: (columns: readonly string[]) => void,
): AsyncGenerator<RawRow> {
  const head = await headOf(text);
  const parser = parse({
    delimiter: head.separator,
    info: true,
    max_record_size: ROW_MAX_CHARS,
    relax_column_count: true,
    relax_quotes: true,
    // An error would take the rows with it that were read before.
    skip_records_with_error: true,
  });
  let failure: CsvError | null = null as CsvError | null;
  parser.on('skip', (error: CsvError | undefined) => {
    failure ??= error ?? null;
    if (error?.code === 'CSV_MAX_RECORD_SIZE') source.destroy();
  });
  const source = Readable.from(again(head.read, text));
  source.on('error', (error) => parser.destroy(error));
  source.on('close', () => parser.end());
  source.pipe(parser);
  let names: string[] | null = null;
  let line = 1;
  try {
    for await (const { record, info } of parser as AsyncIterable<Parsed>) {
      const begin = line;
      line = info.lines + 1;
      if (record.every((cell) => cell === '')) continue;
      if (names) yield rowOf(names, record, begin);
      else {
        names = namesOf(record);
        header(names);
      }
    }
  } finally {
    source.destroy();
    parser.destroy();
  }
  if (failure?.code === 'CSV_QUOTE_NOT_CLOSED') throw new ImportTruncated(line);
  if (failure) throw new ImportUnreadable(`The row that begins at line ${line} is too long.`);
  if (!names) throw new ImportUnreadable('The file has no line with the names of columns.');
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
  const first = /^[^\r\n]*/.exec(read.replace(/"(?:[^"]|"")*"/g, ''))?.[0] ?? '';
  const counts = SEPARATORS.map((sign) => first.split(sign).length);
  const separator = SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ',';
  return { separator, read };
}

async function* again(read: string, text: AsyncGenerator<string>): AsyncGenerator<string> {
  yield read;
  yield* text;
}
