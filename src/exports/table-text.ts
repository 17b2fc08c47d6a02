import type { Column } from './columns.js';
import type { Export } from './export.service.js';
import { Table, type Cell } from './table.js';

/** How a format writes a table. Rows are numbered from 0, without the header. */
export interface TableFormat {
  /** Returns what it writes of the name of a column. */
  name: (text: string) => string;
  /** Writes what stands before the rows. */
  header(names: readonly string[]): string;
  /** Writes a row without its end. */
  row(cells: readonly Cell[], row: number): string;
  /** Writes the end of a row of so many cells, with empty ones up to as many as there are columns. */
  end(row: number, cells: number, columns: number): string;
}

/** Writes the header and the rows of chosen columns while they are read. @returns how many columns there are */
export async function* chosenText(
  source: Export,
  chosen: readonly Column[],
  format: TableFormat,
): AsyncGenerator<string, number> {
  const table = new Table(format.name, chosen);
  const columns = table.header.length;
  let row = 0;
  yield format.header(table.header);
  for await (const rows of source.rows()) {
    const texts = rows.map((shown) => {
      const text = format.row(table.row(shown), row);
      return text + format.end(row++, columns, columns);
    });
    yield texts.join('');
  }
  return columns;
}

/**
 * Writes the header and the rows of all columns. The last row may have a field that no other has, so there is no header
 * until all were read; the rows wait in a spool.
 * @returns how many columns there are
 */
export async function* completeText(
  source: Export,
  format: TableFormat,
): AsyncGenerator<string | Buffer, number> {
  const table = new Table(format.name, null, source.isAsking);
  const spool = source.spool();
  let row = 0;
  try {
    for await (const rows of source.rows()) {
      const spooled = rows.map((shown) => {
        const cells = table.row(shown);
        return { text: format.row(cells, row++), width: cells.length };
      });
      await spool.add(spooled);
    }
    const columns = table.header.length;
    const end = Buffer.from(format.end(0, columns, columns));
    yield format.header(table.header);
    const pieces = spool.read((at, width) =>
      width === columns ? end : Buffer.from(format.end(at, width, columns)),
    );
    for await (const bytes of pieces) {
      source.unwanted.throwIfAborted();
      yield bytes;
    }
    return columns;
  } finally {
    await spool.close();
  }
}
