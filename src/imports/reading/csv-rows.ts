import { textMember } from '../../platform/kernel/text/json-text.js';
import { isOwnHeader } from '../formats/own-csv.js';
import { ImportUnreadable } from '../model/import.errors.js';
import { headOf, HeaderFinder, type CsvHeader } from './csv-head.js';
import { CsvScanner, type CsvRow } from './csv-scanner.js';
import { unreadable, type RawRow, type RowLimits } from './raw-rows.js';

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
