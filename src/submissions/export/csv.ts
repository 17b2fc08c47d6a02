import { BOM, csvLine } from '../../platform/kernel/csv-line.js';
import { COLUMNS_MAX, Table } from './table.js';
import type { Export } from './export.service.js';

/** Separators of cells, by their name in requests. */
export const SEPARATORS = { comma: ',', semicolon: ';', tab: '\t' } as const;
export type Separator = keyof typeof SEPARATORS;

/** Writes an export as character-separated values (RFC 4180), piece by piece. */
export async function* csv(source: Export, separator: Separator): AsyncGenerator<string> {
  const sign = SEPARATORS[separator];
  const line = (texts: string[]) => csvLine(texts, sign);
  const table = new Table(await source.fieldNames(COLUMNS_MAX + 1));
  yield BOM + line(table.header);
  for await (const rows of source.rows()) {
    yield table
      .rows(rows)
      .map((cells) => line(cells.map(({ text }) => text)))
      .join('');
  }
}
