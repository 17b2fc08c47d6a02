import { BOM, csvCells, csvLine, defuse, LINE_END } from '../platform/kernel/text/csv-line.js';
import type { Column } from './columns.js';
import type { Export } from './export.service.js';
import { chosenText, completeText, type TableFormat } from './table-text.js';

/** Separators of cells, by their name in requests. */
export const SEPARATORS = { comma: ',', semicolon: ';', tab: '\t' } as const;
export type Separator = keyof typeof SEPARATORS;

/**
 * Writes an export as character-separated values (RFC 4180), piece by piece.
 * @param columns null: all
 */
export function csv(
  source: Export,
  columns: readonly Column[] | null,
  separator: Separator,
): AsyncGenerator<string | Buffer> {
  const sign = SEPARATORS[separator];
  const format: TableFormat = {
    name: defuse,
    header: (names) => BOM + csvLine(names, sign),
    row: (cells) =>
      csvCells(
        cells.map(({ text }) => text),
        sign,
      ),
    end: (_, cells, all) => sign.repeat(all - cells) + LINE_END,
  };
  return columns ? chosenText(source, columns, format) : completeText(source, format);
}
