import { BOM, csvLine } from '../../platform/kernel/csv-line.js';
import type { Column } from './columns.js';
import type { Export } from './export.service.js';
import { Table } from './table.js';

/** Separators of cells, by their name in requests. */
export const SEPARATORS = { comma: ',', semicolon: ';', tab: '\t' } as const;
export type Separator = keyof typeof SEPARATORS;

/**
 * Writes an export as character-separated values (RFC 4180), piece by piece.
 * @param columns null: all
 */
export async function* csv(
  source: Export,
  columns: readonly Column[] | null,
  separator: Separator,
): AsyncGenerator<string> {
  const sign = SEPARATORS[separator];
  const line = (texts: string[]) => csvLine(texts, sign);
  const table = await Table.of(source, columns);
  yield BOM + line(table.header);
  for await (const rows of source.rows()) {
    yield table
      .rows(rows)
      .map((cells) => line(cells.map(({ text }) => text)))
      .join('');
  }
}
